/*
 * What scripts return in the place of what was asked for.
 */

/** A job waits deeper in a list than the script looked. Nothing is done. */
export const TOO_DEEP = -101;

/** Too many jobs are below a job for one run, or one of them is in a long list. Nothing is done. */
export const TOO_MANY_BELOW = -100;

/** An attempt holds a child of the job. Nothing is done. */
export const HELD_BELOW = -102;

/** The job is the next one of its scheduler. Nothing is done. */
export const NEXT_OF_SCHEDULER = -103;

/** The values of the job are gone. Nothing is done. */
export const IS_REDACTED = -105;

/** In the place of the fields of a job that is to be read apart. It is the only one of its answer. */
export const TOO_LARGE = 1;

/** Nothing is planned: the slot has a job already. */
export const SLOT_IS_TAKEN = -1;

/** Nothing is stored: there are as many schedulers as may be. */
export const TOO_MANY = -2;

/** Nothing is done: the store started the script after its deadline. */
export const CAME_LATE = 'came late';
