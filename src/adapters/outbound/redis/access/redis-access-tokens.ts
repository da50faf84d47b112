import type {
  AccessTokenStorePort,
  StoredTokens,
  TokenUse,
} from '../../../../application/ports/access-token-store-port.ts';
import type { AccessToken } from '../../../../domain/access/access-token.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import { ownKey } from '../layout/own-keys.ts';
import { luaScript } from '../lua/load.ts';

const replaceTokenScript = luaScript('replace-token');
const recordTokenUsesScript = luaScript('record-token-uses');

/** The field that counts the changes; no id is empty. */
const VERSION = '';

/** Tokens in one hash, with a field for each and an unnamed one for their version; their uses in another hash. */
export class RedisAccessTokens implements AccessTokenStorePort {
  readonly #commands: StoreCommands;
  readonly #tokens: string;
  readonly #uses: string;

  constructor(commands: StoreCommands, prefix: string) {
    this.#commands = commands;
    this.#tokens = ownKey(prefix, 'tokens');
    this.#uses = ownKey(prefix, 'token-uses');
  }

  create(token: AccessToken): Promise<boolean> {
    return this.#replace(token.id, '', JSON.stringify(token));
  }

  replace(before: AccessToken, after: AccessToken): Promise<boolean> {
    return this.#replace(before.id, JSON.stringify(before), JSON.stringify(after));
  }

  remove(id: string): Promise<boolean> {
    return this.#replace(id, '*', '');
  }

  async changedSince(version: string | undefined): Promise<StoredTokens | undefined> {
    const { client, errors } = this.#commands;
    const current = (await errors.run(() => client.hget(this.#tokens, VERSION))) ?? '';
    if (current === version) return undefined;
    const { [VERSION]: read = '', ...records } = await errors.run(() =>
      client.hgetall(this.#tokens),
    );
    return { version: read, tokens: Object.values(records).map(tokenOf) };
  }

  async recordUses(uses: readonly TokenUse[]): Promise<void> {
    const values = uses.flatMap(({ id, at, address }) => [id, String(at), address]);
    await this.#commands.scripts.run(recordTokenUsesScript, [this.#tokens, this.#uses], values);
  }

  async uses(ids: readonly string[]): Promise<ReadonlyMap<string, TokenUse>> {
    if (ids.length === 0) return new Map();
    const { client, errors } = this.#commands;
    const records = await errors.run(() => client.hmget(this.#uses, ...ids));
    return new Map(
      records.flatMap((record, index) => {
        const [at = '', address = ''] = record?.split(' ') ?? [];
        const id = ids[index] ?? '';
        return record === null ? [] : [[id, { id, at: Number(at), address }] as const];
      }),
    );
  }

  async #replace(id: string, before: string, after: string): Promise<boolean> {
    const keys = [this.#tokens, this.#uses];
    return (await this.#commands.scripts.run(replaceTokenScript, keys, [id, before, after])) === 1;
  }
}

function tokenOf(record: string): AccessToken {
  return JSON.parse(record) as AccessToken;
}
