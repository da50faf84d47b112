import type { StoreHealthPort } from '../../../application/ports/store-health-port.ts';
import { PublicCause, storeUnavailable } from '../../../domain/errors.ts';
import { memoryStoreHealth, requireLoaded } from '../memory/ports/memory-store-health.ts';
import type { RoomState } from '../memory/room/memory-room.ts';
import type { EmbeddedStore } from './embedded-store.ts';

/** The embedded store is available once its records have been read, until a write fails. A full disk serves reads. */
export function embeddedStoreHealth(
  store: Pick<EmbeddedStore, 'loaded' | 'hasFailed'>,
  room: RoomState,
): StoreHealthPort {
  // eslint-disable-next-line @typescript-eslint/require-await -- async turns what it throws into a rejection
  return memoryStoreHealth(room, async () => {
    if (store.hasFailed) throw storeUnavailable(new PublicCause('a write failed'));
    requireLoaded(store.loaded);
  });
}
