import { ServerSession } from '../server-session.ts';

/** The Redis of the run. Loading this module alone needs no server yet. */
export const storeSession = new ServerSession('TEST_STORE_URI', async () => {
  const { findStore } = await import('./find-store.ts');
  return findStore();
});
