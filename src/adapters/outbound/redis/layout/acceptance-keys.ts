/** How much longer (ms) than its time the lock of an accepted job lasts. */
export const LONGER = 86_400_000;

/** After a queue's prefix: the active jobs that their endpoints accepted, by the time of their next check. */
export const ACCEPTED = 'jobgate:accepted';

/** After a queue's prefix: the acceptance of each of these jobs. */
export const ACCEPTANCES = 'jobgate:acceptances';

/**
 * After a queue's prefix and before a token: a remembered report. No job has such a key: ids with one colon are
 * refused.
 */
export const REPORTS = 'jobgate:report-';
