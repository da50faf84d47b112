/** The states that a listing of queues can filter by (platform contract, section 10). */
export const LISTED_STATES = [
  'paused',
  'held',
  'closed',
  'open',
  'disabled',
  'blocked',
  'failing',
  'idle',
] as const;

export type ListedState = (typeof LISTED_STATES)[number];

/** The sort keys of queues; `rate` is that of completions. */
export const QUEUE_SORTS = ['name', 'waiting', 'active', 'failed', 'oldest', 'rate'] as const;

export type QueueSort = (typeof QUEUE_SORTS)[number];

export const ORDERS = ['asc', 'desc'] as const;

export type Order = (typeof ORDERS)[number];
