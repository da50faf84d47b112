import { requireRedisBinary } from './redis/redis-binary.ts';
import { storeSession } from './redis/store-session.ts';

/**
 * Mocha root plugin (`require` in the configurations): the store of the run begins before the first
 * test, if any needs it, and ends with the last. The Redis that the tests use is printed at once. The files of
 * a parallel run are loaded elsewhere, so whether one needs it is not known.
 */
export async function mochaGlobalSetup(this: { readonly isParallelMode?: () => boolean }) {
  const isParallel = this.isParallelMode?.() === true;
  const { isNeeded, areServersNeeded } = storeSession;
  if (isParallel || isNeeded) {
    const { origin } = await storeSession.store();
    console.log(`Redis of this run: ${origin}`);
  }
  if (isParallel || areServersNeeded) {
    console.log(`Redis of tests that start their own: ${await program()}`);
  }
}

export async function mochaGlobalTeardown(): Promise<void> {
  await storeSession.end();
}

/** Without one, the tests that need it fail and say so themselves. */
function program(): Promise<string> {
  return requireRedisBinary().catch(() => 'none');
}
