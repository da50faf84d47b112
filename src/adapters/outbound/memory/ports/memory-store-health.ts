import { getHeapStatistics } from 'node:v8';
import type {
  StoreHealthPort,
  StoreMemory,
} from '../../../../application/ports/store-health-port.ts';

/** A store in this process is available as long as the process runs. */
export class MemoryStoreHealth implements StoreHealthPort {
  check(): Promise<void> {
    return Promise.resolve();
  }

  /** The jobs are in the heap of the process, with all else that it keeps. */
  memory(): Promise<StoreMemory> {
    const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics();
    return Promise.resolve({ used, limit });
  }
}
