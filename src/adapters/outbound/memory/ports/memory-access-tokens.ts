/* eslint-disable @typescript-eslint/require-await -- async turns what a step throws into a rejection */
import type {
  AccessTokenStorePort,
  TokenChanges,
  TokenUse,
} from '../../../../application/ports/access-token-store-port.ts';
import type { AccessToken } from '../../../../domain/access/access-token.ts';
import type { KeyedRecords } from '../records/keyed-records.ts';
import { StoreRecords } from '../records/store-records.ts';
import { tooManyTokens } from '../../../../domain/errors.ts';

/** How many changes are known at least; twice as many at most. */
const KNOWN_CHANGES = 1000;

/** Tokens in the memory of this process. A record is replaced, never changed. */
export class MemoryAccessTokens implements AccessTokenStorePort {
  readonly #tokens: KeyedRecords<AccessToken>;
  readonly #uses: KeyedRecords<TokenUse>;
  /** The ids of the tokens of the latest changes, and the number of those before. */
  #changes: string[] = [];
  #earlier = 0;

  constructor(records = new StoreRecords()) {
    this.#tokens = records.map('token', (id) => {
      this.#changed(id);
    });
    this.#uses = records.map('token-use');
  }

  async create(token: AccessToken, most: number): Promise<boolean> {
    if (this.#tokens.has(token.id)) return false;
    if (this.#tokens.size >= most) throw tooManyTokens(most);
    this.#set(token);
    return true;
  }

  async replace(before: AccessToken, after: AccessToken): Promise<boolean> {
    const current = this.#tokens.find(before.id);
    if (JSON.stringify(current) !== JSON.stringify(before)) return false;
    this.#set(after);
    return true;
  }

  async remove(id: string): Promise<boolean> {
    this.#uses.remove(id);
    return this.#tokens.remove(id);
  }

  async changedSince(version: string | undefined): Promise<TokenChanges | undefined> {
    const count = this.#earlier + this.#changes.length;
    const current = count === 0 ? '' : String(count);
    if (version === current) return undefined;
    const known = Number(version ?? NaN);
    if (!(known >= this.#earlier && known <= count)) {
      return { version: current, isWhole: true, tokens: [...this.#tokens.values()], removed: [] };
    }
    const ids = [...new Set(this.#changes.slice(known - this.#earlier))];
    const tokens = ids.flatMap((id) => this.#tokens.find(id) ?? []);
    const removed = ids.filter((id) => !this.#tokens.has(id));
    return { version: current, isWhole: false, tokens, removed };
  }

  async recordUses(uses: readonly TokenUse[]): Promise<void> {
    for (const use of uses) {
      const isLater = use.at > (this.#uses.find(use.id)?.at ?? 0);
      const exists = use.id.includes(':') || this.#tokens.has(use.id);
      if (isLater && exists) this.#uses.put(use.id, use);
    }
  }

  async uses(ids: readonly string[]): Promise<ReadonlyMap<string, TokenUse>> {
    return new Map(ids.flatMap((id) => this.#uses.find(id) ?? []).map((use) => [use.id, use]));
  }

  #set(token: AccessToken): void {
    this.#tokens.put(token.id, structuredClone(token));
  }

  #changed(id: string): void {
    this.#changes.push(id);
    if (this.#changes.length < 2 * KNOWN_CHANGES) return;
    this.#changes = this.#changes.slice(KNOWN_CHANGES);
    this.#earlier += KNOWN_CHANGES;
  }
}
