/** Behind a queue's prefix: the adds that are remembered; behind it and a hyphen, what is remembered of each. */
export const REMEMBERED = 'jobgate:idempotency';
