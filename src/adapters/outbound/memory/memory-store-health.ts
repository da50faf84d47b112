import type { StoreHealthPort } from '../../../application/ports/store-health-port.ts';

/** A store in this process is there as long as the process is. */
export class MemoryStoreHealth implements StoreHealthPort {
  check(): Promise<void> {
    return Promise.resolve();
  }
}
