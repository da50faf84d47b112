import { MemoryRoom } from '../../src/adapters/outbound/memory/room/memory-room.ts';
import type { Heap } from '../../src/adapters/shared/process-heap.ts';
import { silentLogger } from './silent-logger.ts';

const heap: Heap = {
  limit: 1e9,
  used: () => 1e8,
  collect: () => true,
  restsUntil: 0,
  onCollected: () => () => undefined,
};

/** A memory that is never full. */
export const ampleRoom = new MemoryRoom(heap, silentLogger);
