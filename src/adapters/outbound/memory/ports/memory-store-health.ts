import type {
  StoreHealthPort,
  StoreMemory,
} from '../../../../application/ports/store-health-port.ts';
import type { RoomState } from '../room/memory-room.ts';

/** A store in this process is available as long as the process runs. */
export class MemoryStoreHealth implements StoreHealthPort {
  readonly #room: RoomState;

  constructor(room: RoomState) {
    this.#room = room;
  }

  check(): Promise<void> {
    return Promise.resolve();
  }

  /** The jobs are in the heap of the process, with all else that it keeps. */
  memory(): Promise<StoreMemory> {
    return Promise.resolve(this.#room.memory);
  }
}
