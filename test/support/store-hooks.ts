import { browserSession } from './browser/browser-session.ts';
import { postgresSession } from './postgres/postgres-session.ts';
import { requirePostgresPrograms } from './postgres/postgres-programs.ts';
import { requireRedisBinary } from './redis/redis-binary.ts';
import { storeSession } from './redis/store-session.ts';

/**
 * Mocha root plugin (`require` in the configurations): the servers of the run begin before the first
 * test, if any needs them, and end with the last. What the tests use is printed at once. The files of
 * a parallel run are loaded elsewhere, so whether one needs a server is not known.
 */
export async function mochaGlobalSetup(this: { readonly isParallelMode?: () => boolean }) {
  const isParallel = this.isParallelMode?.() === true;
  if (isParallel || storeSession.isNeeded) {
    const { origin } = await storeSession.server();
    console.log(`Redis of this run: ${origin}`);
  }
  if (isParallel || storeSession.areServersNeeded) {
    console.log(`Redis of tests that start their own: ${await orNone(requireRedisBinary())}`);
  }
  if (isParallel || postgresSession.isNeeded) {
    const { origin } = await postgresSession.server();
    console.log(`PostgreSQL of this run: ${origin}`);
  }
  if (isParallel || postgresSession.areServersNeeded) {
    const programs = await orNone(requirePostgresPrograms());
    console.log(`PostgreSQL of tests that start their own: ${programs}`);
  }
  if (isParallel || browserSession.isNeeded) {
    const found = browserSession.server().then(({ origin }) => origin);
    console.log(`Browser of this run: ${await orNone(found)}`);
  }
}

export async function mochaGlobalTeardown(): Promise<void> {
  await Promise.all([storeSession.end(), postgresSession.end(), browserSession.end()]);
}

/** Without one, the tests that need it fail and say so themselves. */
function orNone(program: Promise<string>): Promise<string> {
  return program.catch(() => 'none');
}
