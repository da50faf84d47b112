import type {
  AccessTokenStorePort,
  TokenChanges,
  TokenUse,
} from '../../../../application/ports/access-token-store-port.ts';
import type { AccessToken } from '../../../../domain/access/access-token.ts';
import { tooManyTokens } from '../../../../domain/errors.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import { ownKey } from '../layout/own-keys.ts';
import { luaScript } from '../lua/load.ts';

const replaceTokenScript = luaScript('kept/replace-token');
const readTokenChangesScript = luaScript('kept/read-token-changes');
const recordTokenUsesScript = luaScript('kept/record-token-uses');

/** The field that counts the changes; no id is empty. */
const COUNT = '';

/** How many tokens a command reads at most, or about. */
const TOKENS_PER_COMMAND = 100;

/** What the script says of the changes beside those in its answer. */
const THERE_ARE_MORE = 1;
const UNKNOWN = -1;

interface ReadChanges {
  /** The version that the changes lead to. */
  readonly version: string;
  readonly further: unknown;
  readonly changes: readonly (readonly [id: string, record: string])[];
}

/**
 * Tokens in one hash, with a field for each and an unnamed one that counts their changes; the latest changes in a
 * stream; their uses in another hash.
 */
export class RedisAccessTokens implements AccessTokenStorePort {
  readonly #commands: StoreCommands;
  readonly #tokens: string;
  readonly #uses: string;
  readonly #changes: string;

  constructor(commands: StoreCommands, prefix: string) {
    this.#commands = commands;
    this.#tokens = ownKey(prefix, 'tokens');
    this.#uses = ownKey(prefix, 'token-uses');
    this.#changes = ownKey(prefix, 'token-changes');
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
    const tokens = new Map<string, AccessToken>();
    const removed = new Set<string>();
    let known = version;
    let further: unknown = THERE_ARE_MORE;
    while (further === THERE_ARE_MORE) {
      const read = await this.#changesSince(known);
      if (read.further === UNKNOWN) return this.#all(read.version);
      for (const [id, record] of read.changes) {
        if (record === '') {
          tokens.delete(id);
          removed.add(id);
        } else {
          removed.delete(id);
          tokens.set(id, tokenOf(record));
        }
      }
      known = read.version;
      further = read.further;
    }
    if (known === undefined || known === version) return undefined;
    return { version: known, isWhole: false, tokens: [...tokens.values()], removed: [...removed] };
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

  async #replace(id: string, before: string, after: string, most = 0): Promise<boolean> {
    const keys = [this.#tokens, this.#uses, this.#changes];
    const values = [id, before, after, most];
    const answer = await this.#commands.scripts.run(replaceTokenScript, keys, values);
    if (answer === -1) throw tooManyTokens(most);
    return answer === 1;
  }

  /** Some of the changes since a version. */
  async #changesSince(version: string | undefined): Promise<ReadChanges> {
    const [count = '', entry = ''] = version?.split(':') ?? ['unknown'];
    const answer = (await this.#commands.scripts.run(
      readTokenChangesScript,
      [this.#tokens, this.#changes],
      [count, entry, TOKENS_PER_COMMAND],
    )) as readonly (string | number)[];
    const [readCount, readEntry, further, ...changes] = answer;
    const read = readCount === '' ? '' : `${readCount}:${readEntry}`;
    return { version: read, further, changes: pairs(changes.map(String)) };
  }

  /**
   * All tokens, read in steps. Those that change meanwhile are read again as changes.
   *
   * @param version of the tokens before the first step.
   */
  async #all(version: string): Promise<TokenChanges> {
    const { client, errors } = this.#commands;
    const tokens = new Map<string, AccessToken>();
    let cursor = '0';
    do {
      const [next, found] = await errors.run(() =>
        client.hscan(this.#tokens, cursor, 'COUNT', TOKENS_PER_COMMAND),
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
