import { setImmediate } from 'node:timers/promises';
import {
  GROUPS_OF_A_PIECE,
  MOST_DELAYED_COUNTED,
  type GroupStorePort,
} from '../../../../application/ports/group-store-port.ts';
import {
  endHoldOfGroup,
  holdGroupByHand,
  pauseGroup,
  removeGroupSettings,
  resumeGroup,
  saveGroupSettings,
} from '../../../../domain/transitions/groups/changing.ts';
import {
  delayedOfGroups,
  groupIds,
  groupStandings,
} from '../../../../domain/transitions/groups/standings.ts';
import { byteOrder } from '../../../../domain/values/byte-order.ts';
import { piecesOf } from '../../../../domain/values/pieces.ts';
import { sortedInTurns } from '../../../shared/sorted-in-turns.ts';
import type { MemoryStore } from '../state/memory-store.ts';
import { QueueSteps } from './queue-steps.ts';

/** Groups of jobs in the memory of this process. */
export function memoryGroups(store: MemoryStore): GroupStorePort {
  const steps = new QueueSteps(store);
  return {
    /** In short turns of the event loop. */
    async *list(name, defaults) {
      const queue = store.find(name);
      if (queue === undefined) return;
      const delayed = delayedOfGroups(queue, MOST_DELAYED_COUNTED);
      const ids = await sortedInTurns(groupIds(queue, delayed), byteOrder);
      for (const piece of piecesOf(ids, GROUPS_OF_A_PIECE)) {
        yield groupStandings(queue, piece, delayed, defaults, store.now());
        await setImmediate();
      }
    },
    find: steps.onKnown((queue, now, id, defaults) => {
      const delayed = delayedOfGroups(queue, MOST_DELAYED_COUNTED);
      return groupStandings(queue, [id], delayed, defaults, now)[0];
    }, undefined),
    saveSettings: steps.on((queue, _, id, settings) => saveGroupSettings(queue, id, settings)),
    removeSettings: steps.onKnown((queue, _, id) => removeGroupSettings(queue, id), false),
    pause: steps.on((queue, _, id, stop) => pauseGroup(queue, id, stop)),
    resume: steps.onKnown((queue, _, id) => resumeGroup(queue, id), undefined),
    hold: steps.on((queue, now, id, duration, stop) =>
      holdGroupByHand(queue, id, duration, now, stop),
    ),
    endHold: steps.onKnown((queue, _, id) => endHoldOfGroup(queue, id), undefined),
  };
}
