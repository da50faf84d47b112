import type { ClockPort } from '../../../../application/ports/clock-port.ts';
import type { CallOfSeveral } from '../../../../domain/attempts/attempt-record.ts';
import { batchIdOf } from '../../../../domain/attempts/batch.ts';

/** The running calls with several jobs, each remembered for a limited time. */
export class CallsOfSeveral {
  readonly #clock: ClockPort;
  readonly #calls = new Map<string, { readonly size: number; readonly until: number }>();

  constructor(clock: ClockPort) {
    this.#clock = clock;
  }

  /** @param duration how long the call is remembered, in milliseconds. */
  note({ id, size }: CallOfSeveral, duration: number): void {
    const now = this.#clock.now();
    for (const [each, { until }] of this.#calls) if (until <= now) this.#calls.delete(each);
    this.#calls.set(id, { size, until: now + duration });
  }

  forget(id: string): void {
    this.#calls.delete(id);
  }

  /** The call of the attempt with this token. */
  of(token: string): CallOfSeveral | undefined {
    const id = batchIdOf(token);
    const call = this.#calls.get(id);
    return call && { id, size: call.size };
  }
}
