import { randomBytes } from 'node:crypto';
import { ServerSession } from '../server-session.ts';

/** The PostgreSQL of the run. Loading this module alone needs no server yet. */
export const postgresSession = new ServerSession('TEST_PG_URI', async () => {
  const { findPostgres } = await import('./find-postgres.ts');
  return findPostgres(runName());
});

let schemas = 0;

/** The name of a schema that nobody else uses. */
export function newSchemaName(): string {
  schemas += 1;
  return `${runName()}${process.pid}_${schemas}`;
}

/** How the names of the schemas of this run begin, also of those in processes that it starts. */
function runName(): string {
  process.env['TEST_PG_RUN'] ??= `test_${randomBytes(4).toString('hex')}_`;
  return process.env['TEST_PG_RUN'];
}
