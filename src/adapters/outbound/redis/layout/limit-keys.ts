/*
 * The keys of the limits that queues share. They belong to no queue (own-keys), and the name of a limit follows, but for
 * the first. The settings of the limit of a flow control key have its name alone as their key.
 */

/** The settings of all limits, by their names. */
export const LIMITS_KEY = 'limits';

/** The jobs that run under a limit, each as its queue, a colon and the token of its attempt, in this order. */
export const LIMIT_JOBS = 'limit-jobs:';

/** Their calls, each as its queue, a colon and the beginning of its tokens. */
export const LIMIT_CALLS = 'limit-calls:';

/** The starts that its limiter counts. */
export const LIMIT_STARTS = 'limit-starts:';

/** How many starts each queue had while others waited. */
export const LIMIT_TURNS = 'limit-turns:';

/** The same of the queues that wait, and by queue when it last waited, since when it yields, and the end of its offer. */
export const [LIMIT_WAITING, LIMIT_WAITED, LIMIT_YIELDS, LIMIT_OFFERS] = [
  'limit-waiting:',
  'limit-waited:',
  'limit-yields:',
  'limit-offers:',
] as const;

/**
 * For a while (ms): the last job of a limit that was checked. Checks of one limit are some time (ms) apart, and each
 * looks at so many jobs.
 */
export const LIMIT_CHECKED = 'limit-checked:';
export const [CHECKS_KEPT, CHECKS_APART, MOST_CHECKED] = [60_000, 1000, 1000] as const;

/**
 * After a queue's prefix: for each token of an attempt that holds a job under limits, or whose call still counts, the
 * names of the limits, with commas, a space, and the id of the job. The field of its metadata that says that it exists.
 */
export const LIMITED = 'jobgate:limited';
