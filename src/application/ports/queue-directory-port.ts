import type { WaitingQueue } from '../../domain/workers/blocked.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { QueueSummary } from './queue-port.ts';
import type { Natures } from './nature.ts';

/** The summary state of a queue. */
export type QueueGlance = QueueSummary &
  Omit<WaitingQueue, 'counts'> & {
    /** How many of its jobs are suspended. */
    readonly suspended: number;
  };

/**
 * Lists all queues, with the summary state of each. A queue is listed from its first add, pause or hold on, on any
 * replica, in the same step: no failure in between can omit a queue, or list one that does not exist. It stays listed
 * until it is deleted, even when its last job is gone. Methods throw DomainError `store-unavailable` when the store
 * cannot be reached, within STORE_PATIENCE for each of their steps.
 */
export interface QueueDirectoryPort {
  /** The names of the listed queues, in no particular order. */
  names(): Promise<readonly QueueName[]>;

  /** The current state of each of the queues, listed or not; undefined for one that does not exist. */
  glances(queues: readonly QueueName[]): Promise<readonly (QueueGlance | undefined)[]>;

  /**
   * Looks for queues created by other programs, which are listed from then on. Its running time is bounded; the next
   * call continues where this one stopped.
   */
  discover(): Promise<void>;
}

export const QUEUE_DIRECTORY_NATURES: Natures<QueueDirectoryPort> = {
  names: 'looks',
  glances: 'reads store',
  discover: { is: 'local', isLong: true },
};
