import { randomUUID } from 'node:crypto';
import { TemporaryFolder } from './embedded/temporary-folder.ts';
import { freshSchema } from './postgres/test-postgres.ts';
import { testStore } from './redis/test-store.ts';

const folder = new TemporaryFolder();
process.once('exit', () => {
  folder.remove();
});

/** For each store the environment of a service on it, with data that no other service has. */
export const EVERY_STORE: Readonly<
  Record<string, () => Promise<Readonly<Record<string, string>>>>
> = {
  memory: () => Promise.resolve({ STORE: 'memory' }),
  embedded: () => Promise.resolve({ STORE: 'embedded', STORE_PATH: folder.in(randomUUID()) }),
  postgres: async () => {
    const { uri, schema } = await freshSchema();
    return { STORE: 'postgres', STORE_URI: uri, STORE_SCHEMA: schema };
  },
  redis: async () => ({
    STORE: 'redis',
    STORE_URI: (await testStore()).uri,
    QUEUE_PREFIX: `every-${randomUUID()}`,
    WORKER_METADATA_KEY: `every:${randomUUID()}:workers`,
  }),
};
