/* eslint-disable @typescript-eslint/require-await -- async turns what a step throws into a rejection */
import type { ClockPort } from '../../../../application/ports/clock-port.ts';
import type {
  HookStateChange,
  HookStatePort,
} from '../../../../application/ports/hook-state-port.ts';
import type { HookState } from '../../../../domain/hooks/hook-state.ts';
import type { KeyedRecords } from '../records/keyed-records.ts';
import { StoreRecords } from '../records/store-records.ts';
import { TimedClaims } from './timed-claims.ts';

/** The states of hooks in the memory of this process. A record is replaced, never changed. */
export class MemoryHookStates implements HookStatePort {
  readonly #states: KeyedRecords<HookState>;
  readonly #looks: TimedClaims;

  constructor(clock: ClockPort, records = new StoreRecords()) {
    this.#states = records.map('hook-state');
    this.#looks = new TimedClaims(clock, records, 'hook-look');
  }

  async claimLook(interval: number): Promise<boolean> {
    return this.#looks.claim(interval);
  }

  async ids(): Promise<readonly string[]> {
    return [...this.#states.ids()];
  }

  async find(id: string): Promise<HookState | undefined> {
    return this.#states.find(id);
  }

  async change(id: string, change: HookStateChange): Promise<HookState | undefined> {
    const changed = change(this.#states.find(id));
    if (changed !== undefined) this.#states.put(id, changed);
    return this.#states.find(id);
  }

  async remove(id: string): Promise<boolean> {
    return this.#states.remove(id);
  }
}
