import { storeUnavailable } from '../../../../domain/errors.ts';
import type { FoundValues, RecordGroups, RecordKey } from './record.ts';

/** Characters in one piece of what is read. */
export const LARGEST_PIECE = 262_144;

/** Where records are kept. */
export interface FindsRecords {
  /**
   * The values of the records of each group, undefined in place of one that is gone. Fewer groups, but at least one, if
   * all would take more than about `most` characters.
   */
  find(groups: RecordGroups, most: number): Promise<FoundValues>;
}

/** Where values of one kind are, and how they are written. */
export interface ValueKind<Owner, Value> {
  /** The records that have the value of an owner. */
  keys(owner: Owner): readonly RecordKey[];
  /** @param texts of the records of these keys; undefined in place of one that is gone. */
  value(texts: readonly (string | undefined)[], keys: readonly RecordKey[]): Value;
}

/** Reads values that are not in memory from where their records are kept; none of a store that has all in memory. */
export class KeptValues {
  #kept: FindsRecords | undefined;

  /** To be called before the first value is read. */
  readFrom(kept: FindsRecords): void {
    this.#kept = kept;
  }

  /**
   * The values of the first of the owners: at least of one, and of all unless they take more than about 256 kB.
   *
   * @throws DomainError `store-unavailable` when they cannot be read.
   */
  async find<Owner, Value>(
    owners: readonly Owner[],
    kind: ValueKind<Owner, Value>,
  ): Promise<ReadonlyMap<Owner, Value>> {
    if (owners.length === 0) return new Map();
    const groups = owners.map((owner) => kind.keys(owner));
    const found = await this.#find(groups);
    return new Map(
      found.map((texts, index) => [owners[index] as Owner, kind.value(texts, groups[index] ?? [])]),
    );
  }

  async #find(groups: RecordGroups): Promise<FoundValues> {
    try {
      return (await this.#kept?.find(groups, LARGEST_PIECE)) ?? [];
    } catch (error) {
      throw storeUnavailable(error);
    }
  }
}
