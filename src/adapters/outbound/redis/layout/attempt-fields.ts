/*
 * The service's own fields in a job's hash that concern its attempts, besides those of BullMQ, whose clients ignore
 * them.
 */

/** The running attempt: when it started, a colon, and its token. */
export const ATTEMPT = 'jobgate:attempt';

/**
 * The start of the running attempt as limiters count it (attempts/starts) and, where the limiter of the queue does, a
 * colon and its duration in ms.
 */
export const COUNTED = 'jobgate:counted';

/** What the start of the job counts in limiters, unless that is 1. */
export const COST = 'jobgate:cost';

/** The token of the running attempt when a client pulled the job. */
export const PULLED_BY = 'jobgate:pulled-by';

/** BullMQ also keeps the name of the worker in this field. */
export const PROCESSED_BY = 'pb';

/** How often the job was deferred since it was added or last retried by hand. */
export const DEFERRALS = 'jobgate:deferrals';

/** The half of a failed batch call that the job belongs to. */
export const HALF = 'jobgate:half';

/** A claim adds this field to the record of a job that has, or had, children. The field is not stored. */
export const IS_PARENT = 'jobgate:parent';

/** The key of the latest child of the job that failed and lets it go on without the others. */
export const LET_GO = 'jobgate:let-go';

/** Why the job must fail at its next start: BullMQ leaves that to its consumer. */
export const DEFERRED_FAILURE = 'defa';
