/*
 * Our own fields of a job's hash that concern its attempts, beside those of BullMQ. Its clients pass over them.
 */

/** The running attempt: when it started, a colon, and its token. */
export const ATTEMPT = 'jobgate:attempt';

/** The token of the running attempt when a client pulled the job. */
export const PULLED_BY = 'jobgate:pulled-by';

/** In this field BullMQ, too, keeps the name of the worker. */
export const PROCESSED_BY = 'pb';

/** How often the job was deferred since it was added or last retried by hand. */
export const DEFERRALS = 'jobgate:deferrals';

/** The half of a call that failed which the job belongs to. */
export const HALF = 'jobgate:half';

/** A claim adds this field to the record of a job that has, or had, children. It is not stored. */
export const IS_PARENT = 'jobgate:parent';

/** Why the job must fail at its next start: BullMQ leaves that to its consumer. */
export const DEFERRED_FAILURE = 'defa';
