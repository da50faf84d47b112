import type { Hold } from '../../domain/queues/hold.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { QueueSummary } from './queue-port.ts';

/** The state of a queue at a glance. */
export interface QueueGlance extends QueueSummary {
  readonly isPaused: boolean;
  /** Absent when the queue is not held. */
  readonly hold?: Hold;
}

/**
 * Lists all queues, with the state of each at a glance. A queue is listed from its first add, pause or hold on, on
 * any replica, in the same step: no failure in between leaves one out, or lists one that does not exist.
 * It is listed until it is deleted, also when its last job is gone. Methods throw DomainError
 * `store-unavailable` when the store cannot be reached, within STORE_PATIENCE for each of their steps.
 */
export interface QueueDirectoryPort {
  /** The names of the queues that are listed, in no order. */
  names(): Promise<readonly QueueName[]>;

  /** Each of the queues as it is now, listed or not; undefined for one that does not exist. */
  glances(queues: readonly QueueName[]): Promise<readonly (QueueGlance | undefined)[]>;

  /**
   * Looks for queues that other programs have created, which are listed from then on. It works for a bounded time; when
   * that is not enough, the next call continues where this one ended.
   */
  discover(): Promise<void>;
}
