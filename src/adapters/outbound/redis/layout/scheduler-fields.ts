/*
 * The service's own fields in the record of a scheduler, besides those of BullMQ. Its clients ignore them, and drop
 * them when they store the scheduler again: then it is as they define it.
 */

/** The id of the job that started last, as claims of this service record it. */
export const LAST = 'jobgate:last';

/** When (epoch ms) that job ended; absent until it has. */
export const LAST_ENDED = 'jobgate:last-ended';

/** The slot of the job that last started late, and when it started (both epoch ms), with a colon between them. */
export const LATE_START = 'jobgate:late-start';

/** When (epoch ms) a caller last had it make a job, and the id of that job, with a colon between them. */
export const RUN_BY_HAND = 'jobgate:run-by-hand';

/** Its `SchedulerSource` as JSON. */
export const SOURCE = 'jobgate:source';

/** The id of the job that was cancelled before it started and has none after it: the scheduler ended with it. */
export const ENDED_WITH = 'jobgate:ended-with';

/** How to handle a slot that comes before the previous job has ended; absent for `allow`. */
export const OVERLAP = 'jobgate:overlap';

/**
 * Present while it is paused: the slot that it resumes from and the number of its job, with a colon between them; empty
 * if it adds no further job.
 */
export const PAUSED = 'jobgate:paused';
