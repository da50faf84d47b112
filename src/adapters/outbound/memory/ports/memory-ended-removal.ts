/* eslint-disable @typescript-eslint/require-await -- async turns what a step throws into a rejection */
import type { ClockPort } from '../../../../application/ports/clock-port.ts';
import {
  leftFrom,
  type EndedRemoval,
  type EndedRemovalPort,
  type RetainedQueue,
} from '../../../../application/ports/ended-removal-port.ts';
import { removeEnded } from '../../../../domain/transitions/remove-ended.ts';
import type { KeyedRecords } from '../records/keyed-records.ts';
import { StoreRecords } from '../records/store-records.ts';
import type { MemoryStore } from '../state/memory-store.ts';

/** The id of the one record of sweeps. */
const LATEST = 'latest';

/** The most jobs that one step removes. */
const JOBS_PER_STEP = 500;

/** Removes jobs that ended from the memory of this process. */
export class MemoryEndedRemoval implements EndedRemovalPort {
  readonly #store: MemoryStore;
  readonly #clock: ClockPort;
  readonly #sweeps: KeyedRecords<{ readonly at: number }>;

  constructor(store: MemoryStore, clock: ClockPort, records = new StoreRecords()) {
    this.#store = store;
    this.#clock = clock;
    this.#sweeps = records.map('ended-sweep');
  }

  async claimSweep(interval: number): Promise<boolean> {
    const now = this.#clock.now();
    const latest = this.#sweeps.find(LATEST)?.at ?? -Infinity;
    // The clock may have been set back.
    if (Math.abs(now - latest) < interval) return false;
    this.#sweeps.put(LATEST, { at: now });
    return true;
  }

  async removeBeyond(queues: readonly RetainedQueue[]): Promise<EndedRemoval> {
    let removed = 0;
    for (const [index, { queue, retention }] of queues.entries()) {
      const most = JOBS_PER_STEP - removed;
      removed +=
        this.#store.stepIfAny(queue, (state, now) => removeEnded(state, retention, most, now)) ?? 0;
      if (removed >= JOBS_PER_STEP) return { removed, left: leftFrom(queues, index) };
    }
    return { removed, left: [] };
  }
}
