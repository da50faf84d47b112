/* eslint-disable @typescript-eslint/require-await -- async turns what a step throws into a rejection */
import type {
  AccessTokenStorePort,
  StoredTokens,
  TokenUse,
} from '../../../../application/ports/access-token-store-port.ts';
import type { AccessToken } from '../../../../domain/access/access-token.ts';

/** Tokens in the memory of this process. A record is replaced, never changed. */
export class MemoryAccessTokens implements AccessTokenStorePort {
  readonly #tokens = new Map<string, AccessToken>();
  readonly #uses = new Map<string, TokenUse>();
  #changes = 0;

  async create(token: AccessToken): Promise<boolean> {
    if (this.#tokens.has(token.id)) return false;
    this.#set(token);
    return true;
  }

  async replace(before: AccessToken, after: AccessToken): Promise<boolean> {
    const current = this.#tokens.get(before.id);
    if (JSON.stringify(current) !== JSON.stringify(before)) return false;
    this.#set(after);
    return true;
  }

  async remove(id: string): Promise<boolean> {
    this.#uses.delete(id);
    if (!this.#tokens.delete(id)) return false;
    this.#changes += 1;
    return true;
  }

  async changedSince(version: string | undefined): Promise<StoredTokens | undefined> {
    const current = this.#changes === 0 ? '' : String(this.#changes);
    if (version === current) return undefined;
    return { version: current, tokens: [...this.#tokens.values()] };
  }

  async recordUses(uses: readonly TokenUse[]): Promise<void> {
    for (const use of uses) {
      const isLater = use.at > (this.#uses.get(use.id)?.at ?? 0);
      const exists = use.id.includes(':') || this.#tokens.has(use.id);
      if (isLater && exists) this.#uses.set(use.id, use);
    }
  }

  async uses(ids: readonly string[]): Promise<ReadonlyMap<string, TokenUse>> {
    return new Map(ids.flatMap((id) => this.#uses.get(id) ?? []).map((use) => [use.id, use]));
  }

  #set(token: AccessToken): void {
    this.#tokens.set(token.id, structuredClone(token));
    this.#changes += 1;
  }
}
