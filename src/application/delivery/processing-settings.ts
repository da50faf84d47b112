/** Times of processing that hold for every queue, all in milliseconds. */
export interface ProcessingSettings {
  /** How long an attempt is safe from the stalled check when nobody renews its lock. */
  readonly lockDuration: number;
  /** How often a queue is checked for stalled jobs. */
  readonly stalledInterval: number;
}
