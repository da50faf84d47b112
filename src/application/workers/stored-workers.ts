import type { QueueName } from '../../domain/queues/queue-name.ts';
import { piecesOf } from '../../domain/values/pieces.ts';
import type { Worker } from '../../domain/workers/worker.ts';
import type { WorkerStorePort } from '../ports/worker-store-port.ts';

/** How many records are read at once: records of earlier versions may have more than a megabyte each. */
export const READ_TOGETHER = 20;

/** The workers of those of the queues that have one, a few at a time. @throws DomainError `store-unavailable`. */
export async function* storedWorkers(
  store: Pick<WorkerStorePort, 'findEach'>,
  queues: readonly QueueName[],
): AsyncGenerator<Worker> {
  for (const some of piecesOf(queues, READ_TOGETHER)) {
    yield* (await store.findEach(some)).workers;
  }
}

/** All valid workers, a few at a time. @throws DomainError `store-unavailable`. */
export async function* allStoredWorkers(
  store: Pick<WorkerStorePort, 'findEach' | 'queues'>,
): AsyncGenerator<Worker> {
  yield* storedWorkers(store, await store.queues());
}
