import type { ClockPort } from '../../../../application/ports/clock-port.ts';
import type { RecordKind } from '../records/record-changes.ts';
import type { KeyedRecords } from '../records/keyed-records.ts';
import type { StoreRecords } from '../records/store-records.ts';

/** The id of the one record of claims. */
const LATEST = 'latest';

/** Says who does work of which one of all that share the records is to do it at a time. */
export class TimedClaims {
  readonly #clock: ClockPort;
  readonly #claims: KeyedRecords<{ readonly at: number }>;

  constructor(clock: ClockPort, records: StoreRecords, kind: RecordKind) {
    this.#clock = clock;
    this.#claims = records.map(kind);
  }

  /** Whether the caller is to do it: true for one, and then for `interval` ms for none. */
  claim(interval: number): boolean {
    const now = this.#clock.now();
    const latest = this.#claims.find(LATEST)?.at ?? -Infinity;
    // The clock may have been set back.
    if (Math.abs(now - latest) < interval) return false;
    this.#claims.put(LATEST, { at: now });
    return true;
  }
}
