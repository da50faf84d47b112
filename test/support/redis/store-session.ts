import type { TestStore } from './find-store.ts';

/** The one store of a test run: found when first asked for, shared by all, ended once. */
class StoreSession {
  #needed = false;
  #serversNeeded = false;
  #store: Promise<TestStore> | undefined;

  /** Says that this run will ask for the store. */
  need(): void {
    this.#needed = true;
  }

  /** Says that this run will start servers for single tests. */
  needServers(): void {
    this.#serversNeeded = true;
  }

  get isNeeded(): boolean {
    return this.#needed;
  }

  get areServersNeeded(): boolean {
    return this.#serversNeeded;
  }

  store(): Promise<TestStore> {
    this.#store ??= this.#find();
    return this.#store;
  }

  /** Whether the shared store is the one at the address. */
  isAt(uri: string): boolean {
    return uri === process.env['TEST_STORE_URI'];
  }

  async end(): Promise<void> {
    const store = await this.#store?.catch(() => undefined);
    this.#store = undefined;
    await store?.stop();
  }

  /** Processes that this one starts share the store, and need not look for one. */
  async #find(): Promise<TestStore> {
    // Loading this module alone needs no server yet.
    const { findStore } = await import('./find-store.ts');
    const store = await findStore();
    process.env['TEST_STORE_URI'] = store.uri;
    return store;
  }
}

export const storeSession = new StoreSession();
