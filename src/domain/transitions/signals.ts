import { tooManySignals } from '../errors.ts';
import type { AddIdentity } from '../jobs/add-identity.ts';
import type { IndexedJob } from '../records/job-record.ts';
import { awaited, latestEnd, NEVER, withSignal } from '../steps/suspension.ts';
import { rememberAdd, rememberedAdd } from './add-once.ts';
import { moveTo } from './places.ts';
import type { QueueState } from './queue-state.ts';
import { putValue } from './steps.ts';

/* Signals wake the jobs of a queue that wait for their keys (further contract, section 22, "Signals"). */

/** How many kept signals a queue has at most. */
export const MOST_KEPT_SIGNALS = 10_000;

/**
 * Keeps a signal for waits that begin before a time, in place of one of the same key.
 *
 * @param body as JSON.
 * @param until epoch ms.
 * @throws DomainError `limit-reached`.
 */
export function keepSignal(
  queue: QueueState,
  key: string,
  body: string,
  until: number,
  now: number,
): void {
  const { signals } = queue;
  signals.forgetUntil(now);
  if (!signals.has(key) && signals.size >= MOST_KEPT_SIGNALS) {
    throw tooManySignals(MOST_KEPT_SIGNALS);
  }
  queue.change({ isCreated: true });
  signals.keep(key, body, until);
}

/** Remembers a signal that was sent, in a queue that exists. */
export function rememberSignal(
  queue: QueueState,
  { key, body }: AddIdentity,
  woken: number,
  now: number,
): void {
  if (!queue.record.isCreated) return;
  const signal = { body, defaults: {}, timestamp: now, firstId: 0, existing: new Map(), woken };
  rememberAdd(queue.adds, key, signal, now);
}

/** What is remembered of a signal that was sent with a key: undefined for nothing, `other` for another request. */
export function recalledSignal(
  { adds }: QueueState,
  { key, body }: AddIdentity,
  now: number,
): number | 'other' | undefined {
  const known = rememberedAdd(adds, key, now);
  if (known === undefined) return undefined;
  return known.body === body ? (known.woken ?? 'other') : 'other';
}

/**
 * Gives a signal to jobs that wait for it, those that wait longest first.
 *
 * @param body as JSON.
 * @param most how many of them.
 * @returns how many it was given to: the timeouts of the others had passed.
 */
export function wakeWaiting(
  queue: QueueState,
  key: string,
  body: string,
  most: number,
  now: number,
): number {
  const waiting = queue.jobs.waitingFor(key, most);
  const woken = waiting.filter((job) => giveSignal(queue, job, key, body, now));
  if (woken.length > 0) queue.wake();
  return woken.length;
}

/** @returns false if the job waited for it no longer. */
function giveSignal(
  queue: QueueState,
  job: IndexedJob,
  key: string,
  body: string,
  now: number,
): boolean {
  if (job.suspension === undefined) return false;
  const isGiven = awaited(job.suspension, now, true).some(
    (wait) => wait.kind === 'signal' && wait.key === key,
  );
  const suspension = withSignal(job.suspension, key, now, () => putValue(queue, job, body, now));
  queue.jobs.write(job, { suspension });
  if (!isGiven || job.status !== 'delayed') return isGiven;
  const waits = awaited(suspension, now, true);
  const dueAt = waits.length === 0 ? now : (latestEnd(waits) ?? NEVER);
  moveTo(queue, job, Math.max(dueAt, now), now);
  return true;
}
