import type { StoreHealthPort } from '../../../../application/ports/store-health-port.ts';
import { PublicCause, storeUnavailable } from '../../../../domain/errors.ts';
import type { RoomState } from '../room/memory-room.ts';

/**
 * The jobs are in the heap of the process, with all else that it keeps.
 *
 * @param check of what is not: a store in this process is available as long as the process runs.
 */
export function memoryStoreHealth(
  room: RoomState,
  check: StoreHealthPort['check'] = () => Promise.resolve(),
): StoreHealthPort {
  return { check, memory: () => Promise.resolve(room.memory) };
}

/** @param loaded the part of its records that have been read, from 0 to 1. @throws DomainError `store-unavailable`. */
export function requireLoaded(loaded: number): void {
  if (loaded === 1) return;
  const reason = `${Math.floor(100 * loaded)} % of its records are loaded`;
  throw storeUnavailable(new PublicCause(reason));
}
