/** A record as it is from now on; without a value, which is JSON text, it is gone. */
export interface RecordChange {
  readonly kind: string;
  /** Empty for a record of no queue. */
  readonly queue: string;
  readonly id: string;
  readonly value: string | undefined;
}
