import type { StoreHealthPort } from '../../../../application/ports/store-health-port.ts';
import type { RedisClient } from './redis-client.ts';
import { withStoreErrors } from './store-errors.ts';

export class RedisHealth implements StoreHealthPort {
  readonly #client: RedisClient;
  readonly #key: string;

  /** @param prefix of the keys that are the service's own. */
  constructor(client: RedisClient, prefix: string) {
    this.#client = client;
    this.#key = `${prefix}:jobgate:health`;
  }

  /**
   * A ping would be answered by a replica too, and by a master that has lost its replicas or its disk
   * and refuses every write. To delete a key that never was is a write that changes nothing.
   */
  async check(): Promise<void> {
    await withStoreErrors(() => this.#client.del(this.#key));
  }
}
