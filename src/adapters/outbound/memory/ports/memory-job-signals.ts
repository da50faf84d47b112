import type {
  JobSignalPort,
  ListedSignal,
  SentSignal,
} from '../../../../application/ports/job-signal-port.ts';
import { inSteps } from '../../../../application/running/in-steps.ts';
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
 * The most jobs that one step wakes, fewer than other steps move: each may be three records, and a round of 1,000 on
 * PostgreSQL kept ordinary calls waiting for 340 ms, one of these for 190 ms.
 */
const MOST_WOKEN = 250;

/** Signals for the jobs in the memory of this process. */
export function memoryJobSignals(store: MemoryStore, steps: Steps): JobSignalPort {
  return {
    send: (name, key, body, keep, identity) => {
      const most = Math.min(MOST_WOKEN, Math.ceil(MOST_IN_PIECE.characters / body.length));
      /** The step that wakes the last ones remembers the signal. @param before how many were woken. */
      const wake = (ids: readonly string[], before = 0, isLast = true): number => {
        const step = (queue: QueueState, now: number): number => {
          const woken = before + wakeWaiting(queue, ids, key, body, now);
          const isRemembered = isLast && queue.record.isCreated;
          if (isRemembered && identity) rememberOther(queue, identity, { woken }, now);
          return woken;
        };
        return store.stepIfAny(name, step) ?? before;
      };
      const begin = (now: number): SentSignal | 'other' | readonly string[] => {
        const found = store.find(name);
        const known = found && identity && recalledSignal(found, identity, now);
        if (known === 'other') return known;
        if (known !== undefined) return { woken: known, isRepeated: true };
        if (keep > 0) keepSignal(store.open(name), key, body, now + keep, now);
        // Only jobs that wait now are woken: a woken job may wait for the same signal again.
        const ids = Array.from(found?.jobs.waitingFor(key) ?? [], ({ id }) => id);
        return ids.length > most ? ids : { woken: wake(ids), isRepeated: false };
      };
      return inSteps(async (changed) => {
        const begun = await steps.small(() => store.run(begin));
        if (begun === 'other' || 'woken' in begun) return begun;
        if (keep > 0) changed();
        let woken = 0;
        const pieces = piecesOf(begun, most);
        for (const [index, ids] of pieces.entries()) {
          const before = woken;
          woken = await steps.piece(() => wake(ids, before, index === pieces.length - 1));
          changed();
        }
        return { woken, isRepeated: false };
      });
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
