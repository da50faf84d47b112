/** A record: what the store keeps under a kind, a queue ('' for records of no queue) and an id. `value` is JSON text. */
export interface StoredRecord {
  readonly kind: string;
  readonly queue: string;
  readonly id: string;
  readonly value: string;
}

/** A record as it is from now on; without a value it is gone. */
export interface RecordChange {
  readonly kind: string;
  readonly queue: string;
  readonly id: string;
  readonly value: string | undefined;
}

export type RecordKey = Pick<StoredRecord, 'kind' | 'queue' | 'id'>;

/** Records that are read together, in groups. */
export type RecordGroups = readonly (readonly RecordKey[])[];

/** The values of some records; undefined in place of one that is not there. */
export type Values = readonly (string | undefined)[];

/** The values of their first groups. */
export type FoundValues = readonly Values[];
