import { createHash } from 'node:crypto';
import type { RepairCodeStorePort } from '../../../../application/ports/repair-code-store-port.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import { ownKey } from '../layout/own-keys.ts';

/** Codes of repairs by their digests, each in a key that expires. */
export class RedisRepairCodes implements RepairCodeStorePort {
  readonly #commands: StoreCommands;
  readonly #prefix: string;

  constructor(commands: StoreCommands, prefix: string) {
    this.#commands = commands;
    this.#prefix = prefix;
  }

  async save(code: string, life: number): Promise<void> {
    const { client, errors } = this.#commands;
    await errors.run(() => client.set(this.#key(code), '', 'PX', life));
  }

  async take(code: string): Promise<boolean> {
    const { client, errors } = this.#commands;
    return (await errors.run(() => client.del(this.#key(code)))) === 1;
  }

  #key(code: string): string {
    const digest = createHash('sha256').update(code).digest('base64url');
    return ownKey(this.#prefix, `repair-code:${digest}`);
  }
}
