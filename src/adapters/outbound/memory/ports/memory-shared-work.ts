/* eslint-disable @typescript-eslint/require-await -- async turns what a step throws into a rejection */
import type { ClockPort } from '../../../../application/ports/clock-port.ts';
import type { SharedWork, SharedWorkPort } from '../../../../application/ports/shared-work-port.ts';
import type { KeyedRecords } from '../records/keyed-records.ts';
import type { StoreRecords } from '../records/store-records.ts';

/** The id of the one record of each work. */
const LATEST = 'latest';

type Claims = KeyedRecords<{ readonly at: number }>;

/** Shares work out among all that share the records. */
export class MemorySharedWork implements SharedWorkPort {
  readonly #clock: ClockPort;
  readonly #claims: Readonly<Record<SharedWork, Claims>>;

  constructor(clock: ClockPort, records: StoreRecords) {
    this.#clock = clock;
    this.#claims = {
      'hook-look': records.map('hook-look'),
      'ended-sweep': records.map('ended-sweep'),
      'payload-sweep': records.map('payload-sweep'),
    };
  }

  async claim(work: SharedWork, interval: number): Promise<boolean> {
    const now = this.#clock.now();
    const latest = this.#claims[work].find(LATEST)?.at ?? -Infinity;
    // The clock may have been set back.
    if (Math.abs(now - latest) < interval) return false;
    this.#claims[work].put(LATEST, { at: now });
    return true;
  }
}
