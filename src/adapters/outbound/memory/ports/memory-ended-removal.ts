/* eslint-disable @typescript-eslint/require-await -- async turns what a step throws into a rejection */
import type {
  EndedRemoval,
  EndedRemovalPort,
  RetainedQueue,
} from '../../../../application/ports/ended-removal-port.ts';
import { leftFrom } from '../../../../application/ports/left-from.ts';
import { removeEnded } from '../../../../domain/transitions/remove-ended.ts';
import type { MemoryStore } from '../state/memory-store.ts';

/** The most jobs that one step removes. */
const JOBS_PER_STEP = 500;

/** Removes jobs that ended from the memory of this process. */
export class MemoryEndedRemoval implements EndedRemovalPort {
  readonly #store: MemoryStore;

  constructor(store: MemoryStore) {
    this.#store = store;
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
