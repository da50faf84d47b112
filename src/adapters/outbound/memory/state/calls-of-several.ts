import type { ClockPort } from '../../../../application/ports/clock-port.ts';
import type { CallOfSeveral } from '../../../../domain/attempts/attempt-record.ts';
import { batchIdOf } from '../../../../domain/attempts/batch.ts';

/** The calls as they are written. */
export type CallsRecord = readonly (readonly [
  id: string,
  call: { readonly size: number; readonly until: number },
])[];

/** The running calls with several jobs, each remembered for a limited time. */
export class CallsOfSeveral {
  readonly #clock: ClockPort;
  readonly #calls = new Map<string, { readonly size: number; readonly until: number }>();
  readonly #changed: () => void;

  constructor(clock: ClockPort, changed: () => void) {
    this.#clock = clock;
    this.#changed = changed;
  }

  get record(): CallsRecord {
    return [...this.#calls];
  }

  restore(record: CallsRecord): void {
    for (const [id, call] of record) this.#calls.set(id, call);
  }

  /** @param duration how long the call is remembered, in milliseconds. */
  note({ id, size }: CallOfSeveral, duration: number): void {
    this.#changed();
    const now = this.#clock.now();
    for (const [each, { until }] of this.#calls) if (until <= now) this.#calls.delete(each);
    this.#calls.set(id, { size, until: now + duration });
  }

  forget(id: string): void {
    this.#changed();
    this.#calls.delete(id);
  }

  /** The call of the attempt with this token. */
  of(token: string): CallOfSeveral | undefined {
    const id = batchIdOf(token);
    const call = this.#calls.get(id);
    return call && { id, size: call.size };
  }
}
