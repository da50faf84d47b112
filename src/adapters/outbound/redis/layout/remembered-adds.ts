/** After a queue's prefix: the adds that are remembered; followed by a hyphen, what is remembered of each. */
export const REMEMBERED = 'jobgate:idempotency';
