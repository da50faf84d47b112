import type { ListedSignal, JobSignalPort } from '../../../../application/ports/job-signal-port.ts';
import type { AddIdentity } from '../../../../domain/jobs/add-identity.ts';
import {
  keepSignal,
  recalledSignal,
  rememberSignal,
  wakeWaiting,
} from '../../../../domain/transitions/signals.ts';
import { byteOrder } from '../../../../domain/values/byte-order.ts';
import type { MemoryStore } from '../state/memory-store.ts';
import { QueueSteps } from './queue-steps.ts';
import { MOST_IN_PIECE, type Steps } from './steps.ts';

/** Signals for the jobs in the memory of this process. */
export function memoryJobSignals(store: MemoryStore, steps: Steps): JobSignalPort {
  const small = new QueueSteps(store);
  const recall = small.onKnown(
    (queue, now, identity: AddIdentity) => recalledSignal(queue, identity, now),
    undefined,
  );
  const remember = small.onKnown((queue, now, identity: AddIdentity, woken: number) => {
    rememberSignal(queue, identity, woken, now);
  }, undefined);
  return {
    send: async (name, key, body, keep, identity) => {
      const known = identity && (await recall(name, identity));
      if (known === 'other') return known;
      if (known !== undefined) return { woken: known, isRepeated: true };
      if (keep > 0) {
        await steps.small(() =>
          store.step(name, (queue, now) => {
            keepSignal(queue, key, body, now + keep, now);
          }),
        );
      }
      const queue = store.find(name);
      if (queue === undefined) return { woken: 0, isRepeated: false };
      // Those that wait by now: a job that is woken may wait for the same signal again.
      let left = queue.jobs.countWaitingFor(key);
      const most = Math.max(
        1,
        Math.min(MOST_IN_PIECE.jobs, Math.floor(MOST_IN_PIECE.characters / body.length)),
      );
      let woken = 0;
      while (left > 0) {
        const count = Math.min(left, most);
        const wake = (): number =>
          store.step(name, (found, now) => wakeWaiting(found, key, body, count, now));
        woken += await (left > most ? steps.piece(wake) : steps.small(wake));
        left -= count;
      }
      if (identity !== undefined) await remember(name, identity, woken);
      return { woken, isRepeated: false };
    },
    list: small.onKnown(
      ({ signals, jobs }, now, { start, length }) => {
        const { waiting } = jobs.suspended;
        const kept = [...signals.all].filter(([, until]) => until > now);
        const keptUntil = new Map(kept);
        const keys = [...new Set([...keptUntil.keys(), ...waiting.keys()])].sort(byteOrder);
        const shown = keys.slice(start, start + length).map((key): ListedSignal => ({
          key,
          waiting: waiting.get(key)?.size ?? 0,
          keptUntil: keptUntil.get(key) ?? null,
        }));
        return { total: keys.length, signals: shown };
      },
      { total: 0, signals: [] },
    ),
    forget: small.onKnown((queue, now, key) => {
      const wasKept = queue.signals.isKept(key, now);
      queue.signals.forget(key);
      return wasKept;
    }, false),
  };
}
