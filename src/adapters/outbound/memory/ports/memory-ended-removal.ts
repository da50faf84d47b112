/* eslint-disable @typescript-eslint/require-await -- async turns what a step throws into a rejection */
import type { ClockPort } from '../../../../application/ports/clock-port.ts';
import type {
  EndedRemoval,
  EndedRemovalPort,
  RetainedQueue,
} from '../../../../application/ports/ended-removal-port.ts';
import { leftFrom } from '../../../../application/ports/left-from.ts';
import { removeEnded } from '../../../../domain/transitions/remove-ended.ts';
import { StoreRecords } from '../records/store-records.ts';
import type { MemoryStore } from '../state/memory-store.ts';
import { TimedClaims } from './timed-claims.ts';

/** The most jobs that one step removes. */
const JOBS_PER_STEP = 500;

/** Removes jobs that ended from the memory of this process. */
export class MemoryEndedRemoval implements EndedRemovalPort {
  readonly #store: MemoryStore;
  readonly #sweeps: TimedClaims;

  constructor(store: MemoryStore, clock: ClockPort, records = new StoreRecords()) {
    this.#store = store;
    this.#sweeps = new TimedClaims(clock, records, 'ended-sweep');
  }

  async claimSweep(interval: number): Promise<boolean> {
    return this.#sweeps.claim(interval);
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
