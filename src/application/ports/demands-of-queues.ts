import type { Demand } from '../../domain/queues/demand.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';

/** The demand of queues under the policies, workers and windows in force on this replica. */
export interface DemandsOfQueues {
  /**
   * The current demand of each of the queues; undefined for one that does not exist and has no worker.
   *
   * @throws DomainError `store-unavailable`.
   */
  of(queues: readonly QueueName[]): Promise<readonly (Demand | undefined)[]>;
}
