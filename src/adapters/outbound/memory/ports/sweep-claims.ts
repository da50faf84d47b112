import type { ClockPort } from '../../../../application/ports/clock-port.ts';
import type { RecordKind } from '../records/record-changes.ts';
import type { KeyedRecords } from '../records/keyed-records.ts';
import type { StoreRecords } from '../records/store-records.ts';

/** The id of the one record of sweeps. */
const LATEST = 'latest';

/** Says who sweeps, of all that share the records: one at a time. */
export class SweepClaims {
  readonly #clock: ClockPort;
  readonly #sweeps: KeyedRecords<{ readonly at: number }>;

  constructor(clock: ClockPort, records: StoreRecords, kind: RecordKind) {
    this.#clock = clock;
    this.#sweeps = records.map(kind);
  }

  /** Whether the caller is to sweep: true for one, and then for `interval` ms for none. */
  claim(interval: number): boolean {
    const now = this.#clock.now();
    const latest = this.#sweeps.find(LATEST)?.at ?? -Infinity;
    // The clock may have been set back.
    if (Math.abs(now - latest) < interval) return false;
    this.#sweeps.put(LATEST, { at: now });
    return true;
  }
}
