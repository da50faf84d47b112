import type { Stores, Variables } from '../../clients/command-line/stores.ts';
import type { PostgresDatabase } from '../adapters/outbound/postgres/driver/postgres-database.ts';

/** Stores as commands reach them themselves. Each part is loaded when a command needs it. */
export const storesOfCommands: Stores = {
  check: async (folder) => {
    const { checkStore } = await import('../adapters/outbound/embedded/file/check-store.ts');
    return checkStore(folder);
  },
  restore: async (file, folder) => {
    const { restoreStore } = await import('../adapters/outbound/embedded/file/restore-store.ts');
    return restoreStore(file, folder);
  },
  recover: async (folder, file) => {
    const { recoverStore } = await import('../adapters/outbound/embedded/file/recover-store.ts');
    return recoverStore(folder, file);
  },
  dueMigrations: async (variables) => {
    const { dueMigrations } = await import('../adapters/outbound/postgres/schema/migrate.ts');
    const due = await onDatabase(variables, dueMigrations);
    return due.map(({ migration, script }) => ({ ...named(migration), sql: script }));
  },
  migrate: async (variables) => {
    const { migrate } = await import('../adapters/outbound/postgres/schema/migrate.ts');
    return (await onDatabase(variables, migrate)).map(named);
  },
};

function named({ number, name }: { readonly number: number; readonly name: string }) {
  return { number, name };
}

/** @throws ConfigError of the variables of the store. */
async function onDatabase<Answer>(
  variables: Variables,
  run: (database: PostgresDatabase, schema: string) => Promise<Answer>,
): Promise<Answer> {
  const { loadPostgresStore } = await import('./config/postgres-store.ts');
  const { PostgresDatabase } =
    await import('../adapters/outbound/postgres/driver/postgres-database.ts');
  const { uri, directUri, schema } = loadPostgresStore(variables);
  const database = new PostgresDatabase({ uri, directUri, pool: 1, applicationName: 'jobgate' });
  try {
    return await run(database, schema);
  } finally {
    await database.close();
  }
}
