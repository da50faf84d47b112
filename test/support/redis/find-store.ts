/** A Redis that the test run may use. Tests share it, so each keeps to keys of its own. */
export interface TestStore {
  readonly uri: string;
  /** Where it comes from, for the note that says which store a run used. */
  readonly origin: string;
  stop(): Promise<void>;
}

/** One way to come by a store: undefined when it is not open on this machine. */
export type StoreFinder = () => Promise<TestStore | undefined>;

/** Says one line to whoever runs the tests. */
export type Say = (line: string) => void;

export const NO_STORE =
  'No Redis for the tests: put redis-server or valkey-server on the PATH, start a Docker engine, ' +
  'or set TEST_STORE_URI=redis://host:port';

/**
 * The first store that a finder comes by, in the order given. A missing store fails the run instead
 * of skipping tests, so that coverage cannot vanish unseen.
 *
 * @throws Error with {@link NO_STORE} when no finder has one.
 */
export async function findStore(finders: readonly StoreFinder[], say: Say): Promise<TestStore> {
  for (const find of finders) {
    const store = await find();
    if (store !== undefined) {
      say(`Test store: ${store.origin}`);
      return store;
    }
  }
  throw new Error(NO_STORE);
}
