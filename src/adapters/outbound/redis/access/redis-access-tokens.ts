import type {
  AccessTokenStorePort,
  TokenChanges,
  TokenUse,
} from '../../../../application/ports/access-token-store-port.ts';
import type { AccessToken } from '../../../../domain/access/access-token.ts';
import { tooMany } from '../../../../domain/errors.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import { ownKey } from '../layout/own-keys.ts';
import { readTokenChanges, recordTokenUses, replaceToken } from '../scripts/kept.ts';

/** The field that counts the changes; no id is empty. */
const COUNT = '';

/** How many tokens a command reads at most, or about. */
const TOKENS_PER_COMMAND = 100;

/** What the script says of the changes beside those in its answer. */
const THERE_ARE_MORE = 1;
const UNKNOWN = -1;

/**
 * Tokens in one hash, with a field for each and an unnamed one that counts their changes; the latest changes in a
 * stream; their uses in another hash.
 */
export class RedisAccessTokens implements AccessTokenStorePort {
  readonly #commands: StoreCommands;
  readonly #keys: Readonly<Record<'tokens' | 'uses' | 'changes', string>>;

  constructor(commands: StoreCommands, prefix: string) {
    this.#commands = commands;
    this.#keys = {
      tokens: ownKey(prefix, 'tokens'),
      uses: ownKey(prefix, 'token-uses'),
      changes: ownKey(prefix, 'token-changes'),
    };
  }

  create(token: AccessToken, most: number): Promise<boolean> {
    return this.#replace(token.id, '', JSON.stringify(token), most);
  }

  replace(before: AccessToken, after: AccessToken): Promise<boolean> {
    return this.#replace(before.id, JSON.stringify(before), JSON.stringify(after));
  }

  remove(id: string): Promise<boolean> {
    return this.#replace(id, '*', '');
  }

  async changedSince(version: string | undefined): Promise<TokenChanges | undefined> {
    const latest = new Map<string, string>();
    let known = version;
    let further = THERE_ARE_MORE;
    while (further === THERE_ARE_MORE) {
      const read = await this.#changesSince(known);
      if (read.further === UNKNOWN) return this.#all(read.version);
      for (const [id, record] of read.changes) latest.set(id, record);
      known = read.version;
      further = read.further;
    }
    if (known === undefined || known === version) return undefined;
    const removed = [...latest.keys()].filter((id) => latest.get(id) === '');
    const tokens = [...latest.values()].filter((record) => record !== '').map(tokenOf);
    return { version: known, isWhole: false, tokens, removed };
  }

  async recordUses(uses: readonly TokenUse[]): Promise<void> {
    const values = uses.flatMap(({ id, at, address }) => [id, String(at), address]);
    await this.#commands.call(recordTokenUses, this.#keys, {}, values);
  }

  async uses(ids: readonly string[]): Promise<ReadonlyMap<string, TokenUse>> {
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

  async #replace(id: string, before: string, after: string, most = 0): Promise<boolean> {
    const args = { id, before, after, most };
    const answer = await this.#commands.call(replaceToken, this.#keys, args);
    if (answer === -1) throw tooMany('tokens', most);
    return answer === 1;
  }

  /** Some of the changes since a version, and the version that they lead to. */
  async #changesSince(version: string | undefined) {
    const [knownCount = '', knownEntry = ''] = version?.split(':') ?? ['unknown'];
    const args = { knownCount, knownEntry, most: TOKENS_PER_COMMAND };
    const answer = await this.#commands.call(readTokenChanges, this.#keys, args);
    const [count, entry, further, ...changes] = answer;
    return { version: count === '' ? '' : `${count}:${entry}`, further, changes: pairs(changes) };
  }

  /**
   * All tokens, read in steps. Those that change meanwhile are read again as changes.
   *
   * @param version of the tokens before the first step.
   */
  async #all(version: string): Promise<TokenChanges> {
    const tokens = new Map<string, AccessToken>();
    let cursor = '0';
    do {
      const [next, found] = await this.#commands.run((client) =>
        client.hscan(this.#keys.tokens, cursor, 'COUNT', TOKENS_PER_COMMAND),
      );
      for (const [id, record] of pairs(found)) if (id !== COUNT) tokens.set(id, tokenOf(record));
      cursor = next;
    } while (cursor !== '0');
    return { version, isWhole: true, tokens: [...tokens.values()], removed: [] };
  }
}

function pairs(texts: readonly string[]): readonly (readonly [string, string])[] {
  return texts.flatMap((text, place) =>
    place % 2 === 0 ? [[text, texts[place + 1] ?? ''] as const] : [],
  );
}

function tokenOf(record: string): AccessToken {
  return JSON.parse(record) as AccessToken;
}
