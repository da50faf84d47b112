import type { TestStore } from './find-store.ts';
import { storeSession } from './store-session.ts';

// A test file that imports this one will ask for the store, so the run may find it beforehand.
storeSession.need();

/**
 * The Redis of this test run, the same for every caller. It is shared with other tests: use keys
 * and queue prefixes of your own, and never flush it.
 *
 * @throws Error of one line that says what to do when this machine has none.
 */
export function testStore(): Promise<TestStore> {
  return storeSession.store();
}
