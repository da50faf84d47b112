import type { Database } from '../../../src/adapters/outbound/postgres/driver/database.ts';
import { postgresSession } from './postgres-session.ts';
import { testDatabase } from './test-database.ts';

/** The database of the run for tests that may need none: the server is found when it is first used. */
export function lateDatabase(): Database {
  let found: Promise<Database> | undefined;
  const opened = (): Promise<Database> =>
    (found ??= postgresSession.server().then(({ uri }) => testDatabase(uri, 4)));
  return {
    query: async (text, values) => (await opened()).query(text, values),
    session: async (run, patience) => (await opened()).session(run, patience),
    listen: async (...listening) => (await opened()).listen(...listening),
    close: async () => (await found)?.close(),
  };
}
