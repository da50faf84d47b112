/** The field of a job's hash that says until when (epoch ms) its first attempt must start, until it does. */
export const EXPIRES = 'jobgate:expires';

/** Behind a queue's prefix: the jobs that have the field, by that time. Some may be gone, or have started. */
export const EXPIRING = 'jobgate:expiring';

/** Our own key of that name: the queues that have such jobs, by when (epoch ms) the first of these expires. */
export const EXPIRING_QUEUES = 'expiring';
