import { storeSession } from './redis/store-session.ts';

/**
 * Mocha root plugin (`require` in the configurations): the store of the run begins before the first
 * test, if any needs it, and ends with the last. The files of a parallel run are loaded elsewhere, so
 * whether one needs it is not known.
 */
export async function mochaGlobalSetup(this: { readonly isParallelMode?: () => boolean }) {
  if (!storeSession.isNeeded && this.isParallelMode?.() !== true) return;
  const { origin } = await storeSession.store();
  console.log(`Test store: ${origin}`);
}

export async function mochaGlobalTeardown(): Promise<void> {
  await storeSession.end();
}
