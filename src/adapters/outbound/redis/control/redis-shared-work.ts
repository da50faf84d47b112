import type { SharedWork, SharedWorkPort } from '../../../../application/ports/shared-work-port.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import { ownKey } from '../layout/own-keys.ts';

/** Each work has a key that exists while no replica is to do it, by the clock of the store. */
export class RedisSharedWork implements SharedWorkPort {
  readonly #store: StoreCommands;

  constructor(store: StoreCommands) {
    this.#store = store;
  }

  async claim(work: SharedWork, interval: number): Promise<boolean> {
    const key = ownKey(this.#store.prefix, work);
    return (await this.#store.run((client) => client.set(key, 1, 'PX', interval, 'NX'))) === 'OK';
  }
}
