import type { StoreHealthPort } from '../../../../application/ports/store-health-port.ts';

/** A store in this process is available as long as the process runs. */
export class MemoryStoreHealth implements StoreHealthPort {
  check(): Promise<void> {
    return Promise.resolve();
  }
}
