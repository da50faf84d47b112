import type { StoreHealthPort, StoreMemory } from '../../../application/ports/store-health-port.ts';
import { PublicCause, storeUnavailable } from '../../../domain/errors.ts';
import { MemoryStoreHealth } from '../memory/ports/memory-store-health.ts';

/** The state of the store that its health depends on. */
export interface LoadedStore {
  /** The part of the records that have been read, from 0 to 1. */
  readonly loaded: number;
}

/** The embedded store is available once its records have been read. */
export class EmbeddedStoreHealth implements StoreHealthPort {
  readonly #store: LoadedStore;
  readonly #memory = new MemoryStoreHealth();

  constructor(store: LoadedStore) {
    this.#store = store;
  }

  check(): Promise<void> {
    const { loaded } = this.#store;
    if (loaded === 1) return Promise.resolve();
    const percent = Math.floor(100 * loaded);
    const cause = new PublicCause(`${percent} % of its records are loaded`);
    return Promise.reject(storeUnavailable(cause));
  }

  memory(): Promise<StoreMemory> {
    return this.#memory.memory();
  }
}
