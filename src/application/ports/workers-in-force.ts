import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { Worker } from '../../domain/workers/worker.ts';

/** The registered workers as this replica knows them: a recent change may be missing. */
export interface WorkersInForce {
  /** @throws DomainError `store-unavailable` when the record was never read, and cannot be read now. */
  workerOf(queue: QueueName): Promise<Worker | undefined>;
}

/** The same for many queues. It costs the store nothing, or a bounded step for each few of them. */
export interface ManyWorkersInForce {
  /**
   * The workers of those of the queues that have one.
   *
   * @throws DomainError `store-unavailable` when the record was never read, and cannot be read now.
   */
  workersOf(queues: readonly QueueName[]): Promise<ReadonlyMap<QueueName, Worker>>;

  /**
   * All workers, in no particular order. Which queues have one is read from the store now.
   *
   * @throws DomainError `store-unavailable`.
   */
  all(): Promise<readonly Worker[]>;
}
