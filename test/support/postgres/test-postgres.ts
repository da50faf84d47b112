import type { FoundServer } from '../server-session.ts';
import { newSchemaName, postgresSession } from './postgres-session.ts';

// A test file that imports this one will ask for the server, so the run finds it beforehand.
postgresSession.need();

/** A place on the server of the run that nobody else uses. */
export interface FreshSchema {
  readonly uri: string;
  /** It does not exist yet. */
  readonly schema: string;
}

/** The PostgreSQL of this test run, the same for every caller: use a schema of your own. */
export function testPostgres(): Promise<FoundServer> {
  return postgresSession.server();
}

/** Names a schema, which is removed at the end of the run. */
export async function freshSchema(): Promise<FreshSchema> {
  const { uri } = await testPostgres();
  return { uri, schema: newSchemaName() };
}
