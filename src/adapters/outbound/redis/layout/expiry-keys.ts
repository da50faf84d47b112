/** The field of a job's hash with the time (epoch ms) by which its first attempt must start; present until it does. */
export const EXPIRES = 'jobgate:expires';

/** After a queue's prefix: the jobs that have the field, by that time. Some may no longer exist, or have started. */
export const EXPIRING = 'jobgate:expiring';

/** The service's own key of that name: the queues that have such jobs, by when (epoch ms) the first one expires. */
export const EXPIRING_QUEUES = 'expiring';
