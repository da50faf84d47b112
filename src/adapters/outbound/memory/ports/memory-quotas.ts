/* eslint-disable @typescript-eslint/require-await -- async turns what a step throws into a rejection */
import type { ClockPort } from '../../../../application/ports/clock-port.ts';
import type {
  QuotaLease,
  QuotaPort,
  WantedLease,
} from '../../../../application/ports/quota-port.ts';

interface Quota {
  readonly used: number;
  /** Epoch ms. */
  readonly endsAt: number;
}

/** Quotas in the memory of this process. */
export class MemoryQuotas implements QuotaPort {
  readonly #clock: ClockPort;
  readonly #quotas = new Map<string, Quota>();

  constructor(clock: ClockPort) {
    this.#clock = clock;
  }

  async lease(key: string, { wanted, needed, max, duration }: WantedLease): Promise<QuotaLease> {
    const now = this.#clock.now();
    for (const [old, { endsAt }] of this.#quotas) if (endsAt <= now) this.#quotas.delete(old);
    const { used, endsAt } = this.#quotas.get(key) ?? { used: 0, endsAt: now + duration };
    const left = max - used;
    const granted = left < needed ? 0 : Math.min(wanted, left);
    this.#quotas.set(key, { used: used + granted, endsAt });
    return { granted, left: max - used - granted, endsIn: endsAt - now };
  }
}
