import { PostgresDatabase } from '../../../src/adapters/outbound/postgres/driver/postgres-database.ts';

/** A database as a replica opens it, for a test that closes it. */
export function testDatabase(uri: string, pool = 2): PostgresDatabase {
  return new PostgresDatabase({ uri, directUri: uri, pool, applicationName: 'jobgate test' });
}
