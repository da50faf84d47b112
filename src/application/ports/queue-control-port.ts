import type { Deduplication } from '../../domain/jobs/deduplication.ts';
import type { DrainOptions } from '../../domain/queues/drain-options.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { Stop } from '../../domain/values/stop.ts';
import type { Natures } from './nature.ts';

/**
 * The outcome of a removal. `missing`: the queue does not exist. `active`: it has active jobs, and nothing was removed.
 */
export type QueueRemoval =
  | { readonly kind: 'removed'; readonly jobs: number; readonly schedulers: number }
  | { readonly kind: 'missing' | 'active' };

/**
 * Pauses, holds, drains and removes queues. A change applies to all replicas once its method resolves. Every method may
 * be repeated, and throws DomainError `store-unavailable` when the store cannot be reached, within STORE_PATIENCE: one that
 * `mayBeStored` when the change, or a part of it, may have been made.
 */
export interface QueueControlPort {
  /**
   * Starts no attempt until the queue is resumed: no claim gets a job, except a repeated claim that already holds one.
   * Jobs can still be added, and running attempts continue. It creates the queue. A glance at the queue has who paused
   * it, as `latestStop` has it, until it is resumed; one that a native client paused has none.
   */
  pause(queue: QueueName, stop?: Stop): Promise<void>;

  /** Allows attempts again and ends the waits for jobs of a queue that was paused. It creates no queue. */
  resume(queue: QueueName): Promise<void>;

  /**
   * Starts no attempt for this many ms, like a pause that ends by itself; of several holds the latest end counts.
   * Claims return that end, and a glance at the queue says that a caller asked for it, and who. It creates the queue.
   *
   * @returns until when (epoch ms) the queue is held, by the store's clock, which applies to all replicas.
   */
  hold(queue: QueueName, duration: number, stop?: Stop): Promise<number>;

  /** Allows attempts again, if the queue is held. @returns false when the queue does not exist. */
  endHold(queue: QueueName): Promise<boolean>;

  /**
   * Removes the waiting jobs, with or without a priority, and the delayed ones on request. The next job of each
   * scheduler stays. Parents of removed jobs no longer wait for them; parents in the same queue that wait for nothing
   * else are removed too. It works in short steps, each within STORE_PATIENCE: jobs can be added and start in the
   * meantime, and newly added ones may be removed too.
   *
   * @returns how many jobs it removed.
   */
  drain(queue: QueueName, options: DrainOptions): Promise<number>;

  /**
   * Removes the queue and everything that belongs to it. None of its jobs starts from the first step on, and only a
   * forced removal removes active jobs: their attempts lose them. It works in short steps, each within STORE_PATIENCE.
   * A job that is added in the meantime is either removed completely or stays completely; in the latter case its queue
   * exists, as after any add. When it throws an error that `mayBeStored`, part of the queue may be gone, and the
   * queue is paused; it may be repeated.
   */
  remove(queue: QueueName, isForced: boolean): Promise<QueueRemoval>;

  /** Undefined when no job stands for the id. */
  deduplication(queue: QueueName, id: string): Promise<Deduplication | undefined>;

  /** Lets the next job with the id be added. @returns whether a job stood for the id. */
  endDeduplication(queue: QueueName, id: string): Promise<boolean>;
}

export const QUEUE_CONTROL_NATURES: Natures<QueueControlPort> = {
  pause: 'changes',
  resume: 'changes',
  hold: 'changes',
  endHold: 'changes',
  // Removing many jobs at once needs room too, in the log of a store on a disk.
  drain: { is: 'grows', inPieces: true, isLong: true },
  remove: { is: 'grows', inPieces: true, isLong: true },
  deduplication: 'looks',
  endDeduplication: 'changes',
};
