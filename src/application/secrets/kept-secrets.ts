import { eachRecord } from '../kept/each-record.ts';
import type { CollectionPort } from '../ports/collection-port.ts';
import type { Sealing } from './sealing.ts';

/** The secrets of one kind of records, as the store keeps them. */
export interface KeptSecrets {
  /** The id of the key of each secret; undefined for one that is not encrypted. */
  keys(): AsyncIterable<string | undefined>;

  /** Whether each secret that is encrypted under the id of the key can be read. */
  openings(key: string): AsyncIterable<boolean>;

  /**
   * Encrypts the secrets with the current key for the origins of their endpoints, where they are not. Records with an
   * unreadable secret stay as they are.
   */
  rewrap(isDryRun: boolean): Promise<{ readonly matched: number; readonly done: number }>;
}

/** The secrets of records of one kind. @param records with their secrets as the store keeps them. */
export function keptSecrets<Kept, Id extends string>(
  records: CollectionPort<Kept, Id>,
  sealing: Sealing<Kept>,
): KeptSecrets {
  /** How many secrets of a record have to be encrypted again; 0 when one of them cannot be read. */
  const outdated = (kept: Kept, id: Id): number => {
    if (sealing.unreadable(kept, id) !== undefined) return 0;
    return sealing.secretsOf(kept).filter((secret) => !sealing.isCurrent(kept, id, secret)).length;
  };
  const rewrapOne = async (id: Id): Promise<number> => {
    let rewrapped = 0;
    await records.change(id, (kept) => {
      rewrapped = outdated(kept, id);
      return rewrapped === 0 ? undefined : sealing.sealed(sealing.opened(kept, id), id);
    });
    return rewrapped;
  };
  return {
    async *keys() {
      for await (const [, kept] of eachRecord(records)) {
        for (const { value } of sealing.secretsOf(kept)) yield sealing.keyOf(value);
      }
    },
    async *openings(key) {
      for await (const [id, kept] of eachRecord(records)) {
        for (const secret of sealing.secretsOf(kept)) {
          if (sealing.keyOf(secret.value) === key) yield sealing.opens(kept, id, secret);
        }
      }
    },
    async rewrap(isDryRun) {
      let [matched, done] = [0, 0];
      for await (const [id, kept] of eachRecord(records)) {
        const found = outdated(kept, id);
        matched += found;
        if (!isDryRun && found > 0) done += await rewrapOne(id);
      }
      return { matched, done };
    },
  };
}
