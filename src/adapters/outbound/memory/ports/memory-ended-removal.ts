/* eslint-disable @typescript-eslint/require-await -- async turns what a step throws into a rejection */
import {
  JOBS_PER_REMOVAL,
  type EndedRemovalPort,
} from '../../../../application/ports/ended-removal-port.ts';
import { leftFrom } from '../../../../application/ports/left-from.ts';
import { MOST_REMOVED } from '../../../../domain/transitions/removal.ts';
import { removeEnded } from '../../../../domain/transitions/remove-ended.ts';
import type { MemoryStore } from '../state/memory-store.ts';

/** Removes jobs that ended from the memory of this process. */
export function memoryEndedRemoval(store: MemoryStore): EndedRemovalPort {
  return {
    removeBeyond: async (queues) => {
      const most = { jobs: JOBS_PER_REMOVAL, records: MOST_REMOVED };
      let count = 0;
      for (const [index, { queue, retention }] of queues.entries()) {
        const removed = store.stepIfAny(queue, (state, now) =>
          removeEnded(state, retention, most, now),
        );
        count += removed?.jobs ?? 0;
        most.jobs -= removed?.jobs ?? 0;
        most.records -= removed?.records ?? 0;
        if (most.jobs <= 0 || most.records <= 0) return { count, left: leftFrom(queues, index) };
      }
      return { count, left: [] };
    },
  };
}
