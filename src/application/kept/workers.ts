import { endpointOrigin } from '../../domain/calls/endpoint.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import { MOST_WORKERS, type Worker } from '../../domain/workers/worker.ts';
import { unreadableWorker } from '../../domain/workers/unreadable-worker.ts';
import { secretsOf, withSecrets } from '../../domain/workers/worker-secrets.ts';
import { without } from '../../domain/values/without.ts';
import type { CollectionPort } from '../ports/collection-port.ts';
import type { Collection } from './collection.ts';
import type { SecretsOfCollection } from './record-secrets.ts';

/** The registered workers, by their queues. */
export type KeptWorkers = CollectionPort<Worker, QueueName>;

/** Stores in Redis keep them under a key of their own (WORKER_METADATA_KEY), which others write to as well. */
export const WORKERS: Collection<Worker, QueueName> = {
  kind: 'worker',
  key: 'workers',
  bound: { most: MOST_WORKERS, of: 'workers' },
};

/**
 * The secrets of workers. A worker with an unreadable one is disabled.
 *
 * @param startedAt when the replica started: its keys are fixed, so an unreadable secret has been unreadable since then.
 */
export function secretsOfWorkers(startedAt: number): SecretsOfCollection<Worker> {
  return {
    all: secretsOf,
    replaced: withSecrets,
    placeOf: ({ queue, endpoint }, field) => [queue, field, endpointOrigin(endpoint)],
    formerPlaceOf: ({ queue }, field) => [queue, field],
    marked: (worker, secret) =>
      unreadableWorker(worker, secret, Math.max(startedAt, worker.registeredAt ?? 0)),
    unmarked: (worker) =>
      worker.unreadable === undefined
        ? undefined
        : without(without(worker, 'unreadable'), 'disabled'),
  };
}
