/* eslint-disable @typescript-eslint/require-await -- async turns what a step throws into a rejection */
import {
  JOBS_PER_REMOVAL,
  type EndedRemovalPort,
} from '../../../../application/ports/ended-removal-port.ts';
import { leftFrom } from '../../../../application/ports/left-from.ts';
import { removeEnded } from '../../../../domain/transitions/remove-ended.ts';
import type { MemoryStore } from '../state/memory-store.ts';

/** Removes jobs that ended from the memory of this process. */
export function memoryEndedRemoval(store: MemoryStore): EndedRemovalPort {
  return {
    removeBeyond: async (queues) => {
      let removed = 0;
      for (const [index, { queue, retention }] of queues.entries()) {
        const most = JOBS_PER_REMOVAL - removed;
        removed +=
          store.stepIfAny(queue, (state, now) => removeEnded(state, retention, most, now)) ?? 0;
        if (removed >= JOBS_PER_REMOVAL) return { count: removed, left: leftFrom(queues, index) };
      }
      return { count: removed, left: [] };
    },
  };
}
