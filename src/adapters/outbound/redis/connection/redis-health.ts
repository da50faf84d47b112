import type { StoreHealthPort } from '../../../../application/ports/store-health-port.ts';
import type { RedisClient } from './redis-client.ts';
import { withStoreErrors } from './store-errors.ts';

export class RedisHealth implements StoreHealthPort {
  readonly #client: RedisClient;

  constructor(client: RedisClient) {
    this.#client = client;
  }

  async ping(): Promise<void> {
    await withStoreErrors(() => this.#client.ping());
  }
}
