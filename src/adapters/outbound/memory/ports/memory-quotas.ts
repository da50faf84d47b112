/* eslint-disable @typescript-eslint/require-await -- async turns what a step throws into a rejection */
import type { ClockPort } from '../../../../application/ports/clock-port.ts';
import type {
  QuotaLease,
  QuotaPort,
  WantedLease,
} from '../../../../application/ports/quota-port.ts';
import type { KeyedRecords } from '../records/keyed-records.ts';
import { StoreRecords } from '../records/store-records.ts';

interface Quota {
  readonly used: number;
  /** Epoch ms. */
  readonly endsAt: number;
}

/** Quotas in the memory of this process. */
export class MemoryQuotas implements QuotaPort {
  readonly #clock: ClockPort;
  readonly #quotas: KeyedRecords<Quota>;

  constructor(clock: ClockPort, records = new StoreRecords()) {
    this.#clock = clock;
    this.#quotas = records.map('quota');
  }

  async lease(key: string, { wanted, needed, max, duration }: WantedLease): Promise<QuotaLease> {
    const now = this.#clock.now();
    for (const old of this.#quotas.ids()) {
      if ((this.#quotas.find(old)?.endsAt ?? 0) <= now) this.#quotas.remove(old);
    }
    const { used, endsAt } = this.#quotas.find(key) ?? { used: 0, endsAt: now + duration };
    const left = max - used;
    const granted = left < needed ? 0 : Math.min(wanted, left);
    this.#quotas.put(key, { used: used + granted, endsAt });
    return { granted, left: max - used - granted, endsIn: endsAt - now };
  }
}
