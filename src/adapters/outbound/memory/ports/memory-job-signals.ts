import type { ListedSignal, JobSignalPort } from '../../../../application/ports/job-signal-port.ts';
import { rememberOther } from '../../../../domain/transitions/add-once.ts';
import {
  forgetSignal,
  keepSignal,
  keptUntil,
  recalledSignal,
  wakeWaiting,
} from '../../../../domain/transitions/signals.ts';
import { byteOrder } from '../../../../domain/values/byte-order.ts';
import { piecesOf } from '../../../../domain/values/pieces.ts';
import { sortedInTurns } from '../../../shared/sorted-in-turns.ts';
import type { MemoryStore } from '../state/memory-store.ts';
import { QueueSteps } from './queue-steps.ts';
import { MOST_IN_PIECE, type Steps } from './steps.ts';

/** Signals for the jobs in the memory of this process. */
export function memoryJobSignals(store: MemoryStore, steps: Steps): JobSignalPort {
  return {
    send: async (name, key, body, keep, identity) => {
      const known =
        identity && store.stepIfAny(name, (queue, now) => recalledSignal(queue, identity, now));
      if (known === 'other') return known;
      if (known !== undefined) return { woken: known, isRepeated: true };
      if (keep > 0) {
        await steps.small(() =>
          store.step(name, (queue, now) => {
            keepSignal(queue, key, body, now + keep, now);
          }),
        );
      }
      // A job that is woken may wait for the same signal again: it has to be sent again.
      const waiting = Array.from(store.find(name)?.jobs.waitingFor(key) ?? [], ({ id }) => id);
      const most = Math.min(MOST_IN_PIECE.jobs, Math.ceil(MOST_IN_PIECE.characters / body.length));
      let woken = 0;
      for (const ids of piecesOf(waiting, most)) {
        const wake = (): number =>
          store.step(name, (queue, now) => wakeWaiting(queue, ids, key, body, now));
        woken += await (waiting.length > most ? steps.piece(wake) : steps.small(wake));
      }
      if (identity !== undefined) {
        store.stepIfAny(name, (queue, now) => {
          if (queue.record.isCreated) rememberOther(queue, identity, { woken }, now);
        });
      }
      return { woken, isRepeated: false };
    },
    list: async (name, { start, length }) => {
      const queue = store.find(name);
      if (queue === undefined) return { total: 0, signals: [] };
      const kept = [...queue.signals.ids()].filter(
        (key) => keptUntil(queue, key, store.now()) !== undefined,
      );
      const all = new Set([...kept, ...queue.jobs.suspended.keys]);
      const keys = await sortedInTurns([...all], byteOrder);
      const signals = keys.slice(start, start + length).map((key): ListedSignal => ({
        key,
        waiting: queue.jobs.waitingFor(key).size,
        keptUntil: keptUntil(queue, key, store.now()) ?? null,
      }));
      return { total: keys.length, signals };
    },
    forget: new QueueSteps(store).onKnown(
      (queue, now, key) => forgetSignal(queue, key, now),
      false,
    ),
  };
}
