/* eslint-disable @typescript-eslint/require-await -- async turns what a step throws into a rejection */
import type { SchedulerPort } from '../../../../application/ports/scheduler-port.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type { SchedulerRecord } from '../../../../domain/records/scheduler-record.ts';
import type { StoredScheduler } from '../../../../domain/schedulers/scheduler.ts';
import {
  noteRunByHand,
  pauseScheduler,
  removeScheduler,
  resumeScheduler,
  saveScheduler,
  shownScheduler,
} from '../../../../domain/transitions/schedule.ts';
import { byteOrder } from '../../../../domain/values/byte-order.ts';
import { piecesOf } from '../../../../domain/values/pieces.ts';
import type { MemoryStore } from '../state/memory-store.ts';
import { QueueSteps } from './queue-steps.ts';

/** Schedulers that one turn of the event loop copies. */
const SCHEDULERS_PER_PIECE = 10;

/** Schedulers in the memory of this process. */
export function memorySchedulers(store: MemoryStore): SchedulerPort {
  const steps = new QueueSteps(store);
  const allOf = (name: QueueName): SchedulerRecord[] => [
    ...(store.find(name)?.schedulers.values() ?? []),
  ];
  const shown = (name: QueueName, id: string): StoredScheduler | undefined =>
    store.stepIfAny(name, (queue) => {
      const scheduler = queue.schedulers.find(id);
      return scheduler && shownScheduler(queue, scheduler);
    });
  return {
    save: steps.on((queue, now, id, scheduler, most) =>
      saveScheduler(queue, id, scheduler, most, now),
    ),
    find: async (name, id) => shown(name, id),
    async *list(name, { start, length }) {
      const all = allOf(name)
        .sort(inOrder)
        .slice(start, start + length);
      for (const piece of piecesOf(all, SCHEDULERS_PER_PIECE)) {
        const there = piece.flatMap(({ id }) => shown(name, id) ?? []);
        if (there.length > 0) yield there;
      }
    },
    slots: async (queues) =>
      queues.flatMap((queue) =>
        allOf(queue).map(({ id, state: { slot, isPaused, late, skipped } }) => {
          const missed = { ...(late && { late }), ...(skipped && { skipped }) };
          return { queue, id, slot: isPaused ? undefined : slot, ...missed };
        }),
      ),
    pause: steps.onKnown((queue, now, id, stop) => pauseScheduler(queue, id, now, stop), false),
    resume: steps.onKnown((queue, now, id) => resumeScheduler(queue, id, now), false),
    noteRunByHand: steps.onKnown((queue, _, id, run) => noteRunByHand(queue, id, run), undefined),
    remove: steps.onKnown((queue, now, id) => removeScheduler(queue, id, now), false),
  };
}

/** By their next slots. Within a slot, paused ones come last; then ids decide, as in Redis. */
function inOrder(one: SchedulerRecord, other: SchedulerRecord): number {
  return (
    one.state.slot - other.state.slot ||
    Number(one.state.isPaused) - Number(other.state.isPaused) ||
    byteOrder(one.id, other.id)
  );
}
