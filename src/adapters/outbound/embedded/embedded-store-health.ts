import type { StoreHealthPort } from '../../../application/ports/store-health-port.ts';
import { PublicCause, storeUnavailable } from '../../../domain/errors.ts';
import { MemoryStoreHealth } from '../memory/ports/memory-store-health.ts';
import type { RoomState } from '../memory/room/memory-room.ts';

/** The state of the store that its health depends on. */
export interface LoadedStore {
  /** The part of the records that have been read, from 0 to 1. */
  readonly loaded: number;
  /** Whether a write failed, so that the process ends. */
  readonly hasFailed: boolean;
}

/** The embedded store is available once its records have been read, until a write fails. A full disk serves reads. */
export class EmbeddedStoreHealth extends MemoryStoreHealth implements StoreHealthPort {
  readonly #store: LoadedStore;

  constructor(store: LoadedStore, room: RoomState) {
    super(room);
    this.#store = store;
  }

  override check(): Promise<void> {
    const { loaded, hasFailed } = this.#store;
    if (loaded === 1 && !hasFailed) return Promise.resolve();
    const reason = hasFailed
      ? 'a write failed'
      : `${Math.floor(100 * loaded)} % of its records are loaded`;
    return Promise.reject(storeUnavailable(new PublicCause(reason)));
  }
}
