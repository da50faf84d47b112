/* eslint-disable @typescript-eslint/require-await -- async turns what a step throws into a rejection */
import type {
  AccessTokenStorePort,
  TokenUse,
} from '../../../../application/ports/access-token-store-port.ts';
import type { AccessToken } from '../../../../domain/access/access-token.ts';
import type { StoreRecords } from '../records/store-records.ts';
import { tooMany } from '../../../../domain/errors.ts';

/** How many changes are known at least; twice as many at most. */
const KNOWN_CHANGES = 1000;

/** Tokens in the memory of this process. A record is replaced, never changed. */
export function memoryAccessTokens(records: StoreRecords): AccessTokenStorePort {
  /** The ids of the tokens of the latest changes, and the number of those before. */
  let changes: string[] = [];
  let earlier = 0;
  const tokens = records.map<AccessToken>('token', (id) => {
    changes.push(id);
    if (changes.length < 2 * KNOWN_CHANGES) return;
    changes = changes.slice(KNOWN_CHANGES);
    earlier += KNOWN_CHANGES;
  });
  const uses = records.map<TokenUse>('token-use');
  const keep = (token: AccessToken): true => {
    tokens.put(token.id, structuredClone(token));
    return true;
  };
  return {
    create: async (token, most) => {
      if (tokens.has(token.id)) return false;
      if (tokens.size >= most) throw tooMany('tokens', most);
      return keep(token);
    },
    replace: async (before, after) =>
      JSON.stringify(tokens.find(before.id)) === JSON.stringify(before) && keep(after),
    remove: async (id) => {
      uses.remove(id);
      return tokens.remove(id);
    },
    changedSince: async (version) => {
      const count = earlier + changes.length;
      const current = count === 0 ? '' : String(count);
      if (version === current) return undefined;
      const known = Number(version ?? NaN);
      if (!(known >= earlier && known <= count)) {
        return { version: current, isWhole: true, tokens: [...tokens.values()], removed: [] };
      }
      const ids = [...new Set(changes.slice(known - earlier))];
      const changed = ids.flatMap((id) => tokens.find(id) ?? []);
      const removed = ids.filter((id) => !tokens.has(id));
      return { version: current, isWhole: false, tokens: changed, removed };
    },
    recordUses: async (later) => {
      for (const use of later) {
        const isLater = use.at > (uses.find(use.id)?.at ?? 0);
        const exists = use.id.includes(':') || tokens.has(use.id);
        if (isLater && exists) uses.put(use.id, use);
      }
    },
    uses: async (ids) =>
      new Map(ids.flatMap((id) => uses.find(id) ?? []).map((use) => [use.id, use])),
  };
}
