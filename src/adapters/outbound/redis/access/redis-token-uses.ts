import { ACCESS_TOKENS } from '../../../../application/kept/access-tokens.ts';
import type { TokenUse, TokenUsePort } from '../../../../application/ports/token-use-port.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import { ownKey } from '../layout/own-keys.ts';
import { recordTokenUses } from '../scripts/kept.ts';

/** The uses of tokens in one hash: the time and the address of each. */
export class RedisTokenUses implements TokenUsePort {
  readonly #commands: StoreCommands;
  readonly #keys: { readonly tokens: string; readonly uses: string };

  constructor(commands: StoreCommands, prefix: string) {
    this.#commands = commands;
    this.#keys = { tokens: ownKey(prefix, ACCESS_TOKENS.key), uses: ownKey(prefix, 'token-uses') };
  }

  async record(uses: readonly TokenUse[]): Promise<void> {
    const values = uses.flatMap(({ id, at, address }) => [id, String(at), address]);
    await this.#commands.call(recordTokenUses, this.#keys, {}, values);
  }

  async of(ids: readonly string[]): Promise<ReadonlyMap<string, TokenUse>> {
    if (ids.length === 0) return new Map();
    const records = await this.#commands.run((client) => client.hmget(this.#keys.uses, ...ids));
    return new Map(
      records.flatMap((record, index) => {
        const [at = '', address = ''] = record?.split(' ') ?? [];
        const id = ids[index] ?? '';
        return record === null ? [] : [[id, { id, at: Number(at), address }] as const];
      }),
    );
  }

  async forget(ids: readonly string[]): Promise<void> {
    await this.#commands.run((client) => client.hdel(this.#keys.uses, ...ids));
  }
}
