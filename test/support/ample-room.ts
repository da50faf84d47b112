import { MemoryRoom, type Heap } from '../../src/adapters/outbound/memory/room/memory-room.ts';
import { silentLogger } from './silent-logger.ts';

const heap: Heap = {
  limit: 1e9,
  used: () => 1e8,
  collect: () => undefined,
  onCollected: () => () => undefined,
};

/** A memory that is never full. */
export const ampleRoom = new MemoryRoom(heap, silentLogger);
