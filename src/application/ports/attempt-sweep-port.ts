import type { OverdueSearch } from '../../domain/attempts/acceptance.ts';
import type { StalledCheck } from '../../domain/attempts/stalled.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { Natures } from './nature.ts';

/**
 * Finds abandoned attempts, for the sweeps of every replica. Methods throw DomainError `store-unavailable` when the
 * store cannot be reached; the next sweep then finds what this one missed.
 */
export interface AttemptSweepPort {
  /**
   * The stalled check: jobs whose attempts neither end nor renew their locks go back to the head of the queue, and must
   * fail if that has happened more than `maxStalledCount` times (States and transitions). A lock that has just expired
   * proves nothing yet; its holder has a few seconds to renew it. Every check also wakes a waiter when jobs were left
   * waiting, such as after the death of a replica that was woken for them.
   */
  recoverStalled(queue: QueueName, maxStalledCount: number): Promise<StalledCheck>;

  /**
   * The queues with active jobs that clients pulled, on any replica; these queues need not have a worker. A queue is
   * included until a stalled check finds no active job in it.
   */
  pulledQueues(): Promise<readonly QueueName[]>;

  /**
   * Returns some of the overdue accepted attempts of any queues, received messages among them. The caller must end them;
   * other callers get them again only after a while.
   */
  overdue(): Promise<OverdueSearch>;
}

export const ATTEMPT_SWEEP_NATURES: Natures<AttemptSweepPort> = {
  recoverStalled: 'notes',
  pulledQueues: 'looks',
  overdue: 'notes',
};
