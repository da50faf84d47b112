import type { Ends } from '../figures/failing.ts';
import type { QueueName } from '../queues/queue-name.ts';

/** What a look found out about a queue, as far as a hook asks for it. Times are epoch ms. */
export interface QueueFacts {
  readonly queue: QueueName;
  /** How many jobs could start now. */
  readonly waiting: number;
  /** How long (ms) the oldest of them could have started; null without any. */
  readonly oldestWaiting: number | null;
  /** How many jobs ended over the last so many ms; none where nothing failed. */
  readonly ends: (window: number) => Ends;
  /** Whether jobs wait for a worker: none is registered. */
  readonly isUnserved: boolean;
  /** When a client last claimed a job or one started; absent when that was long ago or never. */
  readonly servedAt?: number | undefined;
  /** Since when the breaker is open; absent while it is closed. */
  readonly openSince?: number | undefined;
  /** Since when the worker is disabled, unless a caller did so; absent otherwise. */
  readonly disabledSince?: number | undefined;
}
