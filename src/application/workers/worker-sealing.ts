import { secretsOf, withSecrets } from '../../domain/workers/worker-secrets.ts';
import type { Worker } from '../../domain/workers/worker.ts';
import type { SecretCipherPort } from '../ports/secret-cipher-port.ts';
import type { WorkerStorePort } from '../ports/worker-store-port.ts';
import { keptSecrets, type KeptSecrets } from '../secrets/kept-secrets.ts';
import { Sealing } from '../secrets/sealing.ts';
import { allStoredWorkers } from './stored-workers.ts';

/** Encrypts the secrets of workers. */
export function workerSealing(cipher: SecretCipherPort): Sealing<Worker> {
  return new Sealing(cipher, {
    all: secretsOf,
    replaced: withSecrets,
    placeOf: ({ queue, endpoint }, field) => [queue, field, new URL(endpoint.url).origin],
    formerPlaceOf: ({ queue }, field) => [queue, field],
  });
}

/** @param kept the workers with their secrets encrypted. */
export function secretsOfWorkers(kept: WorkerStorePort, sealing: Sealing<Worker>): KeptSecrets {
  return keptSecrets(
    {
      all: () => allStoredWorkers(kept),
      change: async ({ queue }, change) => {
        await kept.change(queue, (worker) => worker && change(worker));
      },
    },
    sealing,
  );
}
