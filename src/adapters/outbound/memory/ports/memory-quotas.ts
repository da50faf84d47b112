/* eslint-disable @typescript-eslint/require-await -- async turns what a step throws into a rejection */
import type { ClockPort } from '../../../../application/ports/clock-port.ts';
import type { QuotaPort } from '../../../../application/ports/quota-port.ts';
import type { StoreRecords } from '../records/store-records.ts';

interface Quota {
  readonly used: number;
  /** Epoch ms. */
  readonly endsAt: number;
}

/** Quotas in the memory of this process. */
export function memoryQuotas(clock: ClockPort, records: StoreRecords): QuotaPort {
  const quotas = records.map<Quota>('quota');
  return {
    lease: async (key, { wanted, needed, max, duration }) => {
      const now = clock.now();
      for (const old of quotas.ids()) {
        if ((quotas.find(old)?.endsAt ?? 0) <= now) quotas.remove(old);
      }
      const { used, endsAt } = quotas.find(key) ?? { used: 0, endsAt: now + duration };
      const left = max - used;
      const granted = left < needed ? 0 : Math.min(wanted, left);
      quotas.put(key, { used: used + granted, endsAt });
      return { granted, left: max - used - granted, endsIn: endsAt - now };
    },
  };
}
