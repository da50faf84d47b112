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
