/* eslint-disable @typescript-eslint/require-await -- async turns what a step throws into a rejection */
import type { TokenUse, TokenUsePort } from '../../../../application/ports/token-use-port.ts';
import type { StoreRecords } from '../records/store-records.ts';

/** The uses of tokens in the memory of this process. */
export function memoryTokenUses(records: StoreRecords): TokenUsePort {
  const uses = records.map<TokenUse>('token-use');
  return {
    record: async (later) => {
      for (const use of later) {
        const isLater = use.at > (uses.find(use.id)?.at ?? 0);
        const exists = use.id.includes(':') || records.read('token', '', use.id) !== undefined;
        if (isLater && exists) uses.put(use.id, use);
      }
    },
    of: async (ids) =>
      new Map(ids.flatMap((id) => uses.find(id) ?? []).map((use) => [use.id, use])),
    forget: async (ids) => {
      for (const id of ids) uses.remove(id);
    },
  };
}
