/*
 * Our own fields of the record of a scheduler, beside those of BullMQ. Its clients pass over them, and leave them out
 * when they store the scheduler anew: then it is as they have it.
 */

/** The id of the job that started last, as claims of this service record it. */
export const LAST = 'jobgate:last';

/** When (epoch ms) that job ended; absent until it has. */
export const LAST_ENDED = 'jobgate:last-ended';

/** How to handle a slot that comes before the previous job has ended; absent for `allow`. */
export const OVERLAP = 'jobgate:overlap';

/**
 * There while it is paused: the slot that it goes on from and the number of its job, with a colon between them; empty
 * when it makes no further one.
 */
export const PAUSED = 'jobgate:paused';
