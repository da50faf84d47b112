import type { Sealing } from './sealing.ts';

/** The records of one kind, with their secrets as the store keeps them. */
export interface RecordsWithSecrets<Kept> {
  /** @throws DomainError `store-unavailable`. */
  all(): AsyncIterable<Kept>;

  /** Changes a record in one step, unless it is gone; `change` returns undefined to leave it unchanged. */
  change(kept: Kept, change: (kept: Kept) => Kept | undefined): Promise<void>;
}

/** What the secrets of one kind of records need of encryption. */
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

/** The secrets of records of one kind. */
export function keptSecrets<Kept>(
  records: RecordsWithSecrets<Kept>,
  sealing: Sealing<Kept>,
): KeptSecrets {
  /** How many secrets of a record have to be encrypted again; 0 when one of them cannot be read. */
  const outdated = (kept: Kept): number => {
    if (sealing.unreadable(kept) !== undefined) return 0;
    return sealing.secretsOf(kept).filter((secret) => !sealing.isCurrent(kept, secret)).length;
  };
  const rewrapOne = async (record: Kept): Promise<number> => {
    let rewrapped = 0;
    await records.change(record, (kept) => {
      rewrapped = outdated(kept);
      return rewrapped === 0 ? undefined : sealing.sealed(sealing.opened(kept));
    });
    return rewrapped;
  };
  return {
    async *keys() {
      for await (const kept of records.all()) {
        for (const { value } of sealing.secretsOf(kept)) yield sealing.keyOf(value);
      }
    },
    async *openings(key) {
      for await (const kept of records.all()) {
        for (const secret of sealing.secretsOf(kept)) {
          if (sealing.keyOf(secret.value) === key) yield sealing.opens(kept, secret);
        }
      }
    },
    async rewrap(isDryRun) {
      let [matched, done] = [0, 0];
      for await (const kept of records.all()) {
        const found = outdated(kept);
        matched += found;
        if (!isDryRun && found > 0) done += await rewrapOne(kept);
      }
      return { matched, done };
    },
  };
}
