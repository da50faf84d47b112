import type { ListedSignal, JobSignalPort } from '../../../../application/ports/job-signal-port.ts';
import { rememberOther } from '../../../../domain/transitions/add-once.ts';
import {
  forgetSignal,
  keepSignal,
  keptUntil,
  recalledSignal,
  wakeWaiting,
} from '../../../../domain/transitions/signals.ts';
import type { QueueState } from '../../../../domain/transitions/queue-state.ts';
import { byteOrder } from '../../../../domain/values/byte-order.ts';
import { piecesOf } from '../../../../domain/values/pieces.ts';
import { sortedInTurns } from '../../../shared/sorted-in-turns.ts';
import type { MemoryStore } from '../state/memory-store.ts';
import { QueueSteps } from './queue-steps.ts';
import { MOST_IN_PIECE, type Steps } from './steps.ts';

/**
 * The most jobs that a piece of a wake moves, fewer than of other pieces: the woken jobs start beside it, and a round of
 * 1,000 on PostgreSQL kept ordinary calls waiting for 340 ms, one of these for 190 ms.
 */
const MOST_WOKEN = 250;

/** Signals for the jobs in the memory of this process. */
export function memoryJobSignals(store: MemoryStore, steps: Steps): JobSignalPort {
  return {
    send: async (name, key, body, keep, identity) => {
      // Only jobs that wait now are woken: a woken job may wait for the same signal again.
      const begun = await steps.small(() => {
        const recall = (queue: QueueState, now: number) =>
          identity && recalledSignal(queue, identity, now);
        const known = store.stepIfAny(name, recall);
        if (known !== undefined) return known;
        if (keep > 0) {
          store.step(name, (queue, now) => {
            keepSignal(queue, key, body, now + keep, now);
          });
        }
        return Array.from(store.find(name)?.jobs.waitingFor(key) ?? [], ({ id }) => id);
      });
      if (begun === 'other') return begun;
      if (typeof begun === 'number') return { woken: begun, isRepeated: true };
      const most = Math.min(MOST_WOKEN, Math.ceil(MOST_IN_PIECE.characters / body.length));
      let woken = 0;
      for (const ids of piecesOf(begun, most)) {
        const wake = (): number =>
          store.step(name, (queue, now) => wakeWaiting(queue, ids, key, body, now));
        woken += await (begun.length > most ? steps.piece(wake) : steps.small(wake));
      }
      if (identity !== undefined) {
        const remember = (queue: QueueState, now: number): void => {
          if (queue.record.isCreated) rememberOther(queue, identity, { woken }, now);
        };
        await steps.small(() => store.stepIfAny(name, remember));
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
