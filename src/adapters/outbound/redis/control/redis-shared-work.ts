import type { SharedWork, SharedWorkPort } from '../../../../application/ports/shared-work-port.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import { ownKey } from '../layout/own-keys.ts';

/** Each work has a key that exists while no replica is to do it, by the clock of the store. */
export class RedisSharedWork implements SharedWorkPort {
  readonly #commands: StoreCommands;
  readonly #prefix: string;

  constructor(commands: StoreCommands, prefix: string) {
    this.#commands = commands;
    this.#prefix = prefix;
  }

  async claim(work: SharedWork, interval: number): Promise<boolean> {
    const { client, errors } = this.#commands;
    const key = ownKey(this.#prefix, work);
    return (await errors.run(() => client.set(key, 1, 'PX', interval, 'NX'))) === 'OK';
  }
}
