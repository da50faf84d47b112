/** What can happen in a queue. */
export const EVENT_NAMES = [
  'added',
  'waiting',
  'active',
  'progress',
  'log',
  'completed',
  'failed',
  'delayed',
  'deferred',
  'stalled',
  'removed',
  'cancelled',
  'paused',
  'resumed',
  'held',
  'drained',
] as const;
