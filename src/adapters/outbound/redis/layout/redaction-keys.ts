/** The field of a job's hash with the time (epoch ms) at which its values were removed. */
export const REDACTED = 'jobgate:redacted';

/**
 * After a queue's prefix: of each state of jobs that ended, the score and the id of the job up to which all are redacted,
 * with a colon between them.
 */
export const REDACTED_UP_TO = 'jobgate:redacted-up-to';
