import type { FoundServer } from '../server-session.ts';
import { storeSession } from './store-session.ts';

// A test file that imports this one will ask for the store, so the run finds it beforehand.
storeSession.need();

/**
 * The Redis of this test run, the same for every caller. It is shared with other tests: use keys
 * and queue prefixes of your own, and never flush it.
 */
export function testStore(): Promise<FoundServer> {
  return storeSession.server();
}
