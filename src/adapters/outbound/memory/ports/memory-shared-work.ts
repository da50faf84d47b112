/* eslint-disable @typescript-eslint/require-await -- async turns what a step throws into a rejection */
import type { ClockPort } from '../../../../application/ports/clock-port.ts';
import type { SharedWorkPort } from '../../../../application/ports/shared-work-port.ts';
import type { StoreRecords } from '../records/store-records.ts';

/** The id of the one record of each work. */
const LATEST = 'latest';

/** Shares work out among all that share the records. */
export function memorySharedWork(clock: ClockPort, records: StoreRecords): SharedWorkPort {
  const claims = {
    'hook-look': records.map<Claim>('hook-look'),
    'ended-sweep': records.map<Claim>('ended-sweep'),
    'payload-sweep': records.map<Claim>('payload-sweep'),
  };
  return {
    claim: async (work, interval) => {
      const now = clock.now();
      const latest = claims[work].find(LATEST)?.at ?? -Infinity;
      // The clock may have been set back.
      if (Math.abs(now - latest) < interval) return false;
      claims[work].put(LATEST, { at: now });
      return true;
    },
  };
}

interface Claim {
  readonly at: number;
}
