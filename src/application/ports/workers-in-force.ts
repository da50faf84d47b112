import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { Worker } from '../../domain/workers/worker.ts';

/** The registered workers as this replica knows them: a recent change may be missing. */
export interface WorkersInForce {
  /** @throws DomainError `store-unavailable` when the record was never read, and cannot be read now. */
  workerOf(queue: QueueName): Promise<Worker | undefined>;
}
