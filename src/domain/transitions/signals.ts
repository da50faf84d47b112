import { tooMany } from '../errors.ts';
import type { AddIdentity } from '../jobs/add-identity.ts';
import { hasEnded, type IndexedJob } from '../records/job-record.ts';
import { isOver, latestEnd, type Wait } from '../steps/suspension.ts';
import { rememberedAdd } from './add-once.ts';
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
  for (const [each, kept] of signals.entries()) if (kept.until <= now) signals.remove(each);
  if (signals.find(key) === undefined && signals.size >= MOST_KEPT_SIGNALS) {
    throw tooMany('signals', MOST_KEPT_SIGNALS);
  }
  queue.change({ isCreated: true });
  signals.keep(key, { until }, body);
}

/** Until when (epoch ms) a signal is kept for waits that begin now; undefined when it is not. */
export function keptUntil({ signals }: QueueState, key: string, now: number): number | undefined {
  const { until = 0 } = signals.find(key) ?? {};
  return until > now ? until : undefined;
}

/** @returns whether it was kept. */
export function forgetSignal(queue: QueueState, key: string, now: number): boolean {
  const wasKept = keptUntil(queue, key, now) !== undefined;
  return queue.signals.remove(key) && wasKept;
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
 * Gives a signal to jobs that waited for it when it was sent.
 *
 * @param body as JSON.
 * @returns how many it was given to: the others are gone, go on, or wait for it no longer.
 */
export function wakeWaiting(
  queue: QueueState,
  jobIds: readonly string[],
  key: string,
  body: string,
  now: number,
): number {
  let woken = 0;
  for (const id of jobIds) {
    const job = queue.jobs.find(id);
    if (job === undefined || hasEnded(job)) continue;
    if (giveSignal(queue, queue.jobs.indexed(job), key, body, now)) woken += 1;
  }
  if (woken > 0) queue.wake();
  return woken;
}

/** @returns false if the job waits for it no longer. */
function giveSignal(
  queue: QueueState,
  job: IndexedJob,
  key: string,
  body: string,
  now: number,
): boolean {
  const { waits = [], arrived = [] } = job.suspension ?? {};
  const isFor = (wait: Wait): boolean =>
    wait.kind === 'signal' && wait.key === key && !isOver(wait, now, true);
  const came = waits
    .filter(isFor)
    .map(({ name, kind }) => putValue(queue, job, body, { name, kind, at: now }));
  if (came.length === 0) return false;
  const left = waits.filter((wait) => !isFor(wait));
  queue.jobs.write(job, { suspension: { waits: left, arrived: [...arrived, ...came] } });
  if (job.status === 'delayed') moveTo(queue, job, latestEnd(left), now);
  return true;
}
