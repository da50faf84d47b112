import type { Deduplication } from '../../domain/deduplication.ts';
import type { DrainOptions } from '../../domain/drain-options.ts';
import type { QueueName } from '../../domain/queue-name.ts';

/** What became of a queue that was to be removed: there was none, or jobs of it are active, and nothing was done. */
export type QueueRemoval =
  | { readonly kind: 'removed'; readonly jobs: number; readonly schedulers: number }
  | { readonly kind: 'missing' | 'active' };

/**
 * Pauses, holds, drains and removes queues. What is set here holds for all replicas from the moment that its
 * method resolves. Every method may be repeated, and throws DomainError `store-unavailable` when the store
 * cannot be reached, within STORE_PATIENCE; what it was asked to do may then have happened or not.
 */
export interface QueueControlPort {
  /**
   * Lets no attempt start until the queue is resumed: no claim is given a job, but for a repeated one whose
   * job is its own already. Jobs are added as before, and attempts that run go on. It creates the queue.
   */
  pause(queue: QueueName): Promise<void>;

  /** Lets attempts start again and ends the waits for jobs of a queue that was paused. It creates no queue. */
  resume(queue: QueueName): Promise<void>;

  /**
   * Lets no attempt start for so many ms, as a pause does that ends by itself; of several holds the latest end counts.
   * A claim is told until when. It creates the queue.
   *
   * @returns until when (epoch ms) the queue is held, by the store's clock, which decides for all replicas.
   */
  hold(queue: QueueName, duration: number): Promise<number>;

  /** Lets attempts start again, if the queue is held. @returns false when there is no such queue. */
  endHold(queue: QueueName): Promise<boolean>;

  /**
   * Removes the waiting jobs, with a priority or without, and the delayed ones on request. The next job of each
   * scheduler stays. Parents of jobs that go wait for them no more; those in the same queue that wait for nothing
   * else go too. It works in short steps, each within STORE_PATIENCE: jobs are added and start meanwhile, and those
   * that are added may go too.
   *
   * @returns how many jobs it removed. When it throws, some may be gone.
   */
  drain(queue: QueueName, options: DrainOptions): Promise<number>;

  /**
   * Removes the queue with all that belongs to it. No job of it starts from the first step on, and only what is
   * forced removes active jobs: their attempts have lost them. It works in short steps, each within STORE_PATIENCE.
   * A job that is added meanwhile is removed whole or stands whole; if one stands, its queue does, as an add makes
   * one. When it throws, some may be gone, and the queue is paused: it may be repeated.
   */
  remove(queue: QueueName, isForced: boolean): Promise<QueueRemoval>;

  /** Undefined when no job stands for the id. */
  deduplication(queue: QueueName, id: string): Promise<Deduplication | undefined>;

  /** Lets the next job of the id be added, whatever stands for it. @returns whether anything did. */
  endDeduplication(queue: QueueName, id: string): Promise<boolean>;
}
