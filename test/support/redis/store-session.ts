import { findStore, type TestStore } from './find-store.ts';
import { machineSeams } from './machine.ts';
import { storeFinders } from './store-finders.ts';

/** The one store of a test run: found when first asked for, shared by all, ended once. */
export class StoreSession {
  readonly #find: () => Promise<TestStore>;
  #needed = false;
  #store: Promise<TestStore> | undefined;

  constructor(find: () => Promise<TestStore>) {
    this.#find = find;
  }

  /** Says that this run will ask for the store. */
  need(): void {
    this.#needed = true;
  }

  /**
   * Finds the store ahead of the first test that asks, if any will: getting an image or a package
   * takes longer than a test may. A failure is left to the tests that ask.
   */
  async begin(): Promise<void> {
    if (this.#needed) await this.store().catch(() => undefined);
  }

  store(): Promise<TestStore> {
    this.#store ??= this.#find();
    return this.#store;
  }

  async end(): Promise<void> {
    const store = await this.#store?.catch(() => undefined);
    this.#store = undefined;
    await store?.stop();
  }
}

export const storeSession = new StoreSession(() =>
  findStore(storeFinders(machineSeams), machineSeams.say),
);
