import type { OpenBreaker } from '../attempts/breaker.ts';
import type { JobAddress } from '../flows/flow.ts';
import type { JobCounts, StateCounts } from '../jobs/job-status.ts';
import type { Hold, Holder } from '../queues/hold.ts';
import type { Limiter } from '../queues/limiter.ts';
import { counted } from '../errors.ts';
import { fullLimit, type LimitUse } from '../limits/limit-use.ts';
import { isPulledSince } from '../queues/pulled-since.ts';
import type { WindowState } from '../queues/window.ts';
import { inWords } from '../values/duration.ts';
import { object, required, oneOf, optional, time, type Shaped, string } from '../values/shape.ts';
import { stoppedInWords } from '../values/stop-in-words.ts';
import { type Stop, stopShape } from '../values/stop.ts';
import { DEFAULT_CONCURRENCY } from './worker-options.ts';
import { stopOfWorker } from './worker-disabling.ts';
import type { Worker } from './worker.ts';

/** Why no job of a queue starts. If several reasons apply, the first one counts. */
export const BLOCKING_REASONS = [
  'paused',
  'held',
  'disabled',
  'open',
  'no-worker',
  'window',
  'limiter',
  'concurrency',
  'limit',
  'groups',
  'delayed',
  'suspended',
  'children',
] as const;

export type BlockingReason = (typeof BLOCKING_REASONS)[number];

/** Why no job of a queue starts although jobs wait. */
export const blockedShape = object('Blocked', {
  reason: required(oneOf(...BLOCKING_REASONS), 'The first reason that keeps jobs from starting'),
  until: optional(
    time,
    'When that ends by itself, in milliseconds since 1970; absent where unknown',
  ),
  detail: required(string, 'The reason as a sentence for people'),
  stop: optional(
    stopShape,
    'The caller that stopped it, with the time and the reason; absent unless a caller did',
  ),
  queue: optional(
    string,
    'The queue of the job that has to end or to be retried first; absent without such a job, or when the token may not use its queue',
  ),
  id: optional(string, 'The id of that job'),
});

export type Blocked = Shaped<typeof blockedShape>;

/** The parts of the state of a queue that decide whether a job starts. */
export interface WaitingQueue {
  readonly counts: JobCounts;
  /** How many of its jobs are suspended, if that is known. */
  readonly suspended?: number;
  readonly isPaused: boolean;
  /** Who paused the queue; absent where that is not known. */
  readonly pause?: Stop | undefined;
  /** Absent when the queue is not held. */
  readonly hold?: Hold;
}

/** The other facts that decide whether a job of a queue starts now. Times are epoch ms. */
export interface QueueStanding {
  readonly now: number;
  /** Absent unless the breaker is open. */
  readonly breaker?: OpenBreaker;
  /** How many calls count towards the concurrency, across all replicas. */
  readonly running: number;
  /** Absent for a queue without a window. */
  readonly window?: WindowState | undefined;
  /** Whether it is a dead letter queue, whose jobs no worker has to take. */
  readonly takesDeadLetters?: boolean;
  /** Maximum number of concurrent attempts, if native clients limited the queue itself; absent otherwise. */
  readonly concurrency?: number;
  /** The latest start among the active jobs. */
  readonly latestStart?: number;
  /** Until when the limiter allows no start. */
  readonly limitedUntil?: number;
  /** The limits that the queue shares, as far as they are in use; absent for a queue without. */
  readonly limits?: readonly LimitUse[] | undefined;
  /** Whether only jobs of groups wait, and none of them may start. */
  readonly areGroupsBlocked?: boolean;
  /** When the next delayed job is due. */
  readonly nextDue?: number;
  /** When a client that pulls jobs last claimed or waited for some; absent when that was more than CLAIMED_FOR ago. */
  readonly claimedAt?: number;
}

/** How long (ms) a queue without a worker counts as served after a claim. */
export const CLAIMED_FOR = 60_000;

/** How long (ms) no call must have ended before fully used slots count as a reason. */
const FULL_FOR = 5000;

/**
 * Why no job of a queue starts; undefined when jobs start or none waits (platform contract, section 10). Workers of
 * native clients are only known by the jobs that they started.
 */
export function blockedBy(
  queue: WaitingQueue,
  standing: QueueStanding,
  worker: Worker | undefined,
): Blocked | undefined {
  if (!hasWaitingJobs(queue)) return undefined;
  return (
    closedBy(queue, standing, worker) ??
    fullBy(standing, worker) ??
    byGroups(standing) ??
    byDelay(queue, standing)
  );
}

/** Why nothing of the queue may start, whatever is running. */
export function closedBy(
  queue: WaitingQueue,
  standing: QueueStanding,
  worker: Worker | undefined,
): Blocked | undefined {
  return (
    byOrder(queue, standing.now) ?? byWorker(queue.counts, standing, worker) ?? byWindow(standing)
  );
}

/** Why no more jobs may start beside those that have. */
export function fullBy(standing: QueueStanding, worker: Worker | undefined): Blocked | undefined {
  return (
    byLimiter(standing, worker?.opts?.limiter) ??
    byConcurrency(standing, worker) ??
    bySharedLimits(standing)
  );
}

/** Whether the queue has jobs that could start, now or later. */
export function hasWaitingJobs({
  counts: { waiting, prioritized, delayed },
}: WaitingQueue): boolean {
  return waiting + prioritized + delayed > 0;
}

/** Whether the queue has jobs that wait for their children, and no others. */
export function hasOnlyParents(queue: WaitingQueue & { readonly counts: StateCounts }): boolean {
  return !hasWaitingJobs(queue) && queue.counts['waiting-children'] > 0;
}

/** Why a queue in which only parents wait is blocked: by a job that failed for good, at any depth below one of them. */
export function blockedByChild({ queue, id }: JobAddress): Blocked {
  return { reason: 'children', detail: 'A job waits for a child that failed', queue, id };
}

/** The reason for a caller that may use only some queues: it does not learn about the jobs of others. */
export function blockedFor(
  blocked: Blocked,
  mayUse: ((queue: string) => boolean) | undefined,
): Blocked {
  const { queue, reason, detail } = blocked;
  return queue === undefined || mayUse === undefined || mayUse(queue)
    ? blocked
    : { reason, detail };
}

function byGroups({ areGroupsBlocked = false }: QueueStanding): Blocked | undefined {
  if (!areGroupsBlocked) return undefined;
  return { reason: 'groups', detail: 'All groups with jobs are at a limit, paused or held' };
}

function byOrder({ isPaused, pause, hold }: WaitingQueue, now: number): Blocked | undefined {
  if (isPaused) return { reason: 'paused', ...stopped('The queue is paused', pause) };
  if (hold === undefined) return undefined;
  const { until, by, stop } = hold;
  const held = `The queue is held for another ${inWords(until - now)}`;
  if (stop !== undefined) return { reason: 'held', until, ...stopped(held, stop) };
  return { reason: 'held', until, detail: `${held} by ${HOLDER_IN_WORDS[by]}` };
}

/** What keeps jobs from starting, with who stopped it where that is known. */
export function stopped(what: string, stop: Stop | undefined): Pick<Blocked, 'detail' | 'stop'> {
  return stop === undefined
    ? { detail: what }
    : { detail: `${what} ${stoppedInWords(stop)}`, stop };
}

const HOLDER_IN_WORDS: Readonly<Record<Holder, string>> = {
  endpoint: 'an answer of the endpoint',
  caller: 'a caller of the API',
};

function byWorker(
  counts: JobCounts,
  standing: QueueStanding,
  worker: Worker | undefined,
): Blocked | undefined {
  if (worker === undefined) return byAbsence(counts, standing);
  const { breaker } = standing;
  const { disabled, opts } = worker;
  if (disabled !== undefined && !isPulledSince(standing.claimedAt, disabled.since)) {
    const stop = stopOfWorker(worker);
    const why = stop !== undefined || disabled.reason === null ? '' : `: ${disabled.reason}`;
    return { reason: 'disabled', ...stopped(`The worker is disabled${why}`, stop) };
  }
  if (opts?.breaker === undefined || breaker === undefined) return undefined;
  if (isPulledSince(standing.claimedAt, breaker.since)) return undefined;
  return byBreaker(breaker, opts.breaker.failures, standing.now);
}

function byBreaker({ until }: OpenBreaker, failures: number, now: number): Blocked {
  const failed =
    failures === 1 ? 'The endpoint failed' : `The endpoint failed ${failures} times in a row`;
  if (until === undefined) {
    return { reason: 'open', detail: `${failed}; a single call tries it now` };
  }
  return {
    reason: 'open',
    until,
    detail: `${failed}; the next try is in ${inWords(until - now)}`,
  };
}

function byAbsence(
  { active }: JobCounts,
  { claimedAt, latestStart, now, takesDeadLetters = false }: QueueStanding,
): Blocked | undefined {
  if (takesDeadLetters) return undefined;
  const latest = Math.max(claimedAt ?? -Infinity, latestStart ?? -Infinity);
  if (now - latest < CLAIMED_FOR) return undefined;
  const running = active === 0 ? '' : `; ${jobs(active)} running`;
  return {
    reason: 'no-worker',
    detail: `No worker is registered and no client has claimed a job for a minute${running}`,
  };
}

function byWindow({ window, now }: QueueStanding): Blocked | undefined {
  if (window === undefined || window.open) return undefined;
  const { changesAt } = window;
  if (changesAt === null)
    return { reason: 'window', detail: 'The window of the queue never opens' };
  const detail = `The window of the queue is closed for another ${inWords(changesAt - now)}`;
  return { reason: 'window', until: changesAt, detail };
}

function byLimiter(
  { limitedUntil, now }: QueueStanding,
  limiter: Limiter | undefined,
): Blocked | undefined {
  if (limitedUntil === undefined || limitedUntil <= now) return undefined;
  const bound =
    limiter === undefined
      ? 'The limiter of the queue is reached'
      : `The limiter allows ${counted(limiter.max, 'call')} in ${inWords(limiter.duration)}`;
  return {
    reason: 'limiter',
    until: limitedUntil,
    detail: `${bound}; the next may start in ${inWords(limitedUntil - now)}`,
  };
}

/**
 * When a call ends while jobs wait, another one starts; so full slots without a recent start mean calls that do not
 * end.
 */
function byConcurrency(
  { running, concurrency = Infinity, latestStart = -Infinity, now }: QueueStanding,
  worker: Worker | undefined,
): Blocked | undefined {
  const most = Math.min(
    concurrency,
    worker === undefined ? Infinity : (worker.opts?.concurrency ?? DEFAULT_CONCURRENCY),
  );
  if (running < most || now - latestStart < FULL_FOR) return undefined;
  const detail =
    running > most
      ? `${counted(running, 'call')} are running, and ${most} may run at a time`
      : `${running} of ${counted(most, 'call')} ${most === 1 ? 'is' : 'are'} running`;
  return { reason: 'concurrency', detail };
}

/** Of several limits, the one that the policy names first counts. */
function bySharedLimits({ limits = [] }: QueueStanding): Blocked | undefined {
  const [full] = limits.flatMap((limit) => fullLimit(limit) ?? []);
  return full && { reason: 'limit', ...full };
}

function byDelay(
  { counts, suspended = 0 }: WaitingQueue,
  { nextDue, now }: QueueStanding,
): Blocked | undefined {
  if (counts.waiting + counts.prioritized > 0) return undefined;
  if (nextDue === undefined || nextDue <= now) return undefined;
  const only = counts.delayed === 1 ? 'The only job' : 'The next job';
  const rest = suspended === 0 ? '' : `; ${jobs(suspended)} suspended`;
  return {
    reason: 'delayed',
    until: nextDue,
    detail: `${only} is delayed and due in ${inWords(nextDue - now)}${rest}`,
  };
}

function jobs(count: number): string {
  return count === 1 ? '1 job is' : `${count} jobs are`;
}
