import type { Nature, Natures } from './nature.ts';

/** Records as the store has them. */
export interface FoundRecords<Kept, Id extends string = string> {
  /** In the order of the given ids, otherwise in no particular one. */
  readonly records: ReadonlyMap<Id, Kept>;
  /** Why a record is invalid, by its id: it is left unchanged, and counts as none. */
  readonly invalid: ReadonlyMap<Id, string>;
}

/** The changes of the records since a version. */
export interface ChangedRecords<Kept, Id extends string = string> {
  /** Identifies this state of the records; empty as long as no change is known. */
  readonly version: string;
  /** New and changed records as they are now. */
  readonly records: ReadonlyMap<Id, Kept>;
  /**
   * The ids of removed records; undefined when `records` are all that there are, since the changes from the earlier version
   * are not known.
   */
  readonly removed: readonly Id[] | undefined;
}

/**
 * Keeps the records of one kind until they are removed; these are authoritative, and every replica applies them. A record
 * that has not changed since it was last read is the same object; it is replaced, never changed. Methods throw DomainError
 * `store-unavailable` when the store cannot be reached.
 */
export interface CollectionPort<Kept, Id extends string = string> {
  find(id: Id): Promise<Kept | undefined>;

  /** The ids of all records, or of those in a folder, in no particular order. */
  ids(folder?: string): Promise<readonly Id[]>;

  /** Reads all records in one step, or the ones with some ids: callers read a few large ones at a time. */
  list(ids?: readonly Id[]): Promise<FoundRecords<Kept, Id>>;

  /**
   * Makes or changes a record in one step: no other change comes in between. `make` gets undefined if there is none,
   * returns undefined to leave it unchanged, and may be called several times. Its errors are passed on, and the record
   * then stays unchanged.
   *
   * @returns the record afterwards; undefined when there is none.
   * @throws DomainError of the kind for a new record when there are as many as there may be.
   */
  put(id: Id, make: (kept: Kept | undefined) => Kept | undefined): Promise<Kept | undefined>;

  /** Changes a record as `put` does, unless there is none. */
  change(id: Id, change: (kept: Kept) => Kept | undefined): Promise<Kept | undefined>;

  /** @returns false when there was none. */
  remove(id: Id): Promise<boolean>;
}

/** Reports changes to replicas, each of which holds all records in memory. */
export interface FollowedRecords<Kept, Id extends string = string> {
  /**
   * The records that changed since a version; undefined when none did. The cost depends on the number of changes, not of
   * records, unless the version is undefined or too old.
   *
   * @throws DomainError `store-unavailable`.
   */
  changedSince(version: string | undefined): Promise<ChangedRecords<Kept, Id> | undefined>;
}

/** @param put the nature of `put`, which decides when a full store refuses new records of the kind. */
export function collectionNatures(
  put: Exclude<Nature, `streams ${string}`>,
): Natures<CollectionPort<unknown>> {
  return { find: 'looks', ids: 'looks', list: 'looks', put, change: 'changes', remove: 'changes' };
}
