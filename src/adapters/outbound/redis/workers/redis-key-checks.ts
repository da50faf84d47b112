import type { KeyCheckStorePort } from '../../../../application/ports/key-check-store-port.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import { ownKey } from '../layout/own-keys.ts';

/** The check values of encryption keys: a hash with a field for each id. */
export class RedisKeyChecks implements KeyCheckStorePort {
  readonly #commands: StoreCommands;
  readonly #key: string;

  constructor(commands: StoreCommands, prefix: string) {
    this.#commands = commands;
    this.#key = ownKey(prefix, 'encryption-keys');
  }

  find(key: string): Promise<string | undefined> {
    const { client, errors } = this.#commands;
    return errors.run(async () => (await client.hget(this.#key, key)) ?? undefined);
  }

  saveFirst(key: string, value: string): Promise<string> {
    const { client, errors } = this.#commands;
    return errors.run(async () => {
      await client.hsetnx(this.#key, key, value);
      return (await client.hget(this.#key, key)) ?? value;
    });
  }
}
