import type { Deduplication } from '../../domain/jobs/deduplication.ts';
import type { DrainOptions } from '../../domain/queues/drain-options.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';

/** The outcome of a removal. `missing`: there was no queue. `active`: it has active jobs, and nothing was removed. */
export type QueueRemoval =
  | { readonly kind: 'removed'; readonly jobs: number; readonly schedulers: number }
  | { readonly kind: 'missing' | 'active' };

/**
 * Pauses, holds, drains and removes queues. A change is in force on all replicas from the moment that its
 * method resolves. Every method may be repeated, and throws DomainError `store-unavailable` when the store
 * cannot be reached, within STORE_PATIENCE; the change may then have been made or not.
 */
export interface QueueControlPort {
  /**
   * Starts no attempt until the queue is resumed: no claim gets a job, except a repeated one that already holds its
   * job. Jobs are added as before, and running attempts continue. It creates the queue.
   */
  pause(queue: QueueName): Promise<void>;

  /** Lets attempts start again and ends the waits for jobs of a queue that was paused. It creates no queue. */
  resume(queue: QueueName): Promise<void>;

  /**
   * Starts no attempt for so many ms, like a pause that ends by itself; of several holds the latest end counts. A claim
   * returns that end. It creates the queue.
   *
   * @returns until when (epoch ms) the queue is held, by the store's clock, which decides for all replicas.
   */
  hold(queue: QueueName, duration: number): Promise<number>;

  /** Lets attempts start again, if the queue is held. @returns false when there is no such queue. */
  endHold(queue: QueueName): Promise<boolean>;

  /**
   * Removes the waiting jobs, with a priority or without, and the delayed ones on request. The next job of each
   * scheduler stays. Parents of removed jobs no longer wait for them; parents in the same queue that wait for
   * nothing else are removed too. It works in short steps, each within STORE_PATIENCE: jobs are added and start
   * meanwhile, and added ones may be removed too.
   *
   * @returns how many jobs it removed. When it throws, some jobs may be gone.
   */
  drain(queue: QueueName, options: DrainOptions): Promise<number>;

  /**
   * Removes the queue with all that belongs to it. No job of it starts from the first step on, and only a forced
   * removal removes active jobs: their attempts have lost them. It works in short steps, each within STORE_PATIENCE. A
   * job that is added meanwhile is removed whole or stands whole; if one stands, its queue does, as an add makes one.
   * When it throws, some may be gone, and the queue is paused: it may be repeated.
   */
  remove(queue: QueueName, isForced: boolean): Promise<QueueRemoval>;

  /** Undefined when no job stands for the id. */
  deduplication(queue: QueueName, id: string): Promise<Deduplication | undefined>;

  /** Lets the next job of the id be added. @returns whether a job stood for the id. */
  endDeduplication(queue: QueueName, id: string): Promise<boolean>;
}
