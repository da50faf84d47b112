import { randomUUID } from 'node:crypto';
import { testStore } from '../../../support/redis/test-store.ts';

/** The environment of a service that uses a store which nobody else uses. */
export type StoreEnvironment = () => Promise<Readonly<Record<string, string>>>;

export const memory: StoreEnvironment = () => Promise.resolve({ STORE: 'memory' });

/**
 * The stores that the tests of the interface run on: the embedded one or PostgreSQL where the run says so, as for the
 * tests of HTTP.
 */
export const STORES: Readonly<Record<string, StoreEnvironment>> = await chosenStores();

async function chosenStores(): Promise<Readonly<Record<string, StoreEnvironment>>> {
  if (process.env['ON_POSTGRES'] !== undefined) {
    const { freshSchema } = await import('../../../support/postgres/test-postgres.ts');
    const PostgreSQL: StoreEnvironment = async () => {
      const { uri, schema } = await freshSchema();
      return { STORE: 'postgres', STORE_URI: uri, STORE_SCHEMA: schema };
    };
    return { PostgreSQL };
  }
  if (process.env['ON_DISK'] !== undefined) {
    const { TemporaryFolder } = await import('../../../support/embedded/temporary-folder.ts');
    const folder = new TemporaryFolder();
    process.once('exit', () => {
      folder.remove();
    });
    const embedded: StoreEnvironment = () =>
      Promise.resolve({ STORE: 'embedded', STORE_PATH: folder.in(randomUUID()) });
    return { embedded };
  }
  const Redis: StoreEnvironment = async () => ({
    STORE_URI: (await testStore()).uri,
    QUEUE_PREFIX: `sqs-${randomUUID()}`,
    WORKER_METADATA_KEY: `sqs-workers-${randomUUID()}`,
  });
  return { memory, Redis };
}
