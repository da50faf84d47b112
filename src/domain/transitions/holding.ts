import type { OverdueAttempt, OverdueSearch } from '../attempts/acceptance.ts';
import { isWakeAfter, withAttempt, type AttemptEnd } from '../attempts/attempt-record.ts';
import type { Attempt, AttemptKey } from '../attempts/attempt.ts';
import { afterCall, afterCancellation } from '../attempts/gate.ts';
import { KEPT_LOG_LINES } from '../jobs/job-options.ts';
import { withFailure, type Job } from '../jobs/job.ts';
import {
  optionsOf,
  startOf,
  type IndexChanges,
  type IndexedJob,
  type JobChanges,
  type JobRecord,
} from '../records/job-record.ts';
import { costOf } from '../records/job-record.ts';
import { savedAt } from '../steps/step.ts';
import type { Json } from '../values/json.ts';
import { without } from '../values/without.ts';
import { callOfSeveral } from './calls.ts';
import { callOfGroupEnded, callOfGroupEnds } from './groups/blocking.ts';
import type { QueueState, StartWindow } from './queue-state.ts';
import { shownJob } from './shown-job.ts';

/* Attempts hold their jobs by their tokens. */

/** Most overdue jobs of a queue that one search finds. */
const MOST_OVERDUE = 1000;

/** The fields of a job that no attempt holds. */
export const UNLOCKED: IndexChanges = { lock: undefined, suspect: false };

/** The attempt's job, undefined once it ended or the stalled check put it back. */
export function heldJob(
  { jobs }: QueueState,
  { jobId, token }: AttemptKey,
): IndexedJob | undefined {
  const found = jobs.find(jobId);
  const job = found?.status === 'active' ? jobs.indexed(found) : undefined;
  return job?.lock?.token === token ? job : undefined;
}

export function holdsJob(queue: QueueState, attempt: AttemptKey): boolean {
  return heldJob(queue, attempt) !== undefined;
}

/** An attempt as its claim returns it. */
export function attemptOf({ name }: QueueState, record: JobRecord, token: string): Attempt {
  const job: Job = shownJob(record, name);
  const { mustFail, deferrals, half, attempts, suspensions } = record;
  return {
    jobId: job.id,
    token,
    job,
    ...(mustFail !== undefined && { mustFail }),
    ...(deferrals > 0 && { deferrals }),
    ...(half !== undefined && { half }),
    ...(isWakeAfter(attempts, suspensions) && { isWake: true }),
  };
}

/** Makes the lock last for `duration` ms from now. @returns false when the attempt has lost its job. */
export function renew(
  queue: QueueState,
  attempt: AttemptKey,
  duration: number,
  now: number,
): boolean {
  const job = heldJob(queue, attempt);
  if (job === undefined) return false;
  const isCalled = job.lock?.isCalled === true;
  const lock = { token: attempt.token, expiresAt: now + duration, isCalled };
  queue.jobs.write(job, { lock, suspect: false });
  return true;
}

/**
 * The endpoint, or the client that receives messages, accepted the job, and has `duration` ms to complete it. No replica
 * renews the lock of an accepted job, so it does not run out.
 */
export function accept(
  queue: QueueState,
  { jobId, token }: AttemptKey,
  duration: number,
  now: number,
): boolean {
  const job = heldJob(queue, { jobId, token });
  if (job === undefined) return false;
  const { lock, acceptance } = job;
  const isReceived =
    acceptance?.token === token ? acceptance.isReceived === true : lock?.isCalled === false;
  queue.jobs.write(job, {
    acceptance: { token, since: now, until: now + duration, ...(isReceived && { isReceived }) },
    lock: { token, expiresAt: Infinity, isCalled: false },
    suspect: false,
  });
  return true;
}

/** Gives the holder `duration` ms from now, of an accepted job to complete it, else as `renew` does. */
export function extend(
  queue: QueueState,
  attempt: AttemptKey,
  duration: number,
  now: number,
): boolean {
  const job = heldJob(queue, attempt);
  if (job?.acceptance?.token !== attempt.token) return renew(queue, attempt, duration, now);
  const acceptance = without(job.acceptance, 'foundUntil');
  queue.jobs.write(job, { acceptance: { ...acceptance, until: now + duration } });
  return true;
}

/**
 * The overdue accepted jobs, up to MOST_OVERDUE.
 *
 * @param patience for how long (ms) those that it returns are not returned again.
 */
export function overdue(queue: QueueState, patience: number, now: number): OverdueSearch {
  const found: OverdueAttempt[] = [];
  for (;;) {
    const job = queue.jobs.firstAccepted();
    if (job?.acceptance === undefined) return { found };
    const { acceptance } = job;
    const { token, since, until, isReceived = false, foundUntil = until } = acceptance;
    const isEnd = foundUntil > now || found.length === MOST_OVERDUE;
    if (isEnd || !queue.jobs.isAtHand(job)) return { found, nextAt: foundUntil };
    queue.jobs.write(job, { acceptance: { ...acceptance, foundUntil: now + patience } });
    const attempt = attemptOf(queue, queue.jobs.whole(job), token);
    found.push({ queue: queue.name, attempt, bound: until - since, isReceived });
  }
}

export function reportProgress(queue: QueueState, attempt: AttemptKey, progress: Json): boolean {
  const held = heldJob(queue, attempt);
  if (held === undefined) return false;
  const job = queue.jobs.whole(held);
  queue.jobs.write(job, { progress: JSON.stringify(progress) });
  queue.note('progress', job.id, job.progress);
  return true;
}

export function addLog(queue: QueueState, attempt: AttemptKey, line: string): boolean {
  const job = heldJob(queue, attempt);
  if (job === undefined) return false;
  const whole = queue.jobs.whole(job);
  const { keepLogs = KEPT_LOG_LINES } = optionsOf(whole);
  queue.jobs.addLog(whole, line, keepLogs);
  queue.note('log', job.id, line);
  return true;
}

/** Called before an active job is cancelled. Its call counts towards the concurrency until it is over. */
export function letCallEnd(queue: QueueState, job: IndexedJob, now: number): void {
  const { lock } = job;
  if (lock === undefined) return;
  const endingCalls = afterCancellation(queue.record.endingCalls, lock, now);
  queue.change({ endingCalls });
  const until = endingCalls.get(lock.token);
  if (until === undefined) return;
  callOfGroupEnds(queue, lock.token, job, until);
  const { limits } = job;
  if (limits !== undefined) queue.limits.keepCall(queue.name, lock.token, limits.names, until);
}

/** The call of a cancelled job is over. */
export function endCall(queue: QueueState, { token }: AttemptKey): void {
  queue.change({ endingCalls: afterCall(queue.record.endingCalls, token) });
  callOfGroupEnded(queue, token);
  queue.limits.endCall(queue.name, token);
  queue.wake();
}

/** Takes the start of an attempt off the limiters: its job is about to go back without a call. */
export function uncountStart(queue: QueueState, attempt: AttemptKey): void {
  const job = heldJob(queue, attempt);
  if (job === undefined || job.mustFail !== undefined) return;
  for (const window of windowsOf(queue, job)) window.uncount(startOf(job));
  queue.limits.freed(job.limits?.names ?? []);
}

/** Sets what the start of the running attempt of a job counts in limiters. */
export function correctStart(queue: QueueState, job: IndexedJob, cost: number): void {
  for (const window of windowsOf(queue, job)) window.correct(startOf(job), cost);
  if (cost < costOf(job)) queue.limits.freed(job.limits?.names ?? []);
}

/** The starts that the limiters count which bind the job. */
function windowsOf(
  { starts, groups, limits }: QueueState,
  { group, limits: shared }: IndexedJob,
): readonly StartWindow[] {
  const known = group && groups.find(group.id);
  const ofGroup = known && groups.windowOf(known);
  const ofLimits = shared?.names.flatMap((name) => limits.find(name)?.starts ?? []) ?? [];
  return ofGroup === undefined ? [starts, ...ofLimits] : [starts, ofGroup, ...ofLimits];
}

/** The process that made the calls has ended: its jobs count as ones without a lock at the last stalled check. */
export function loseCalls(queue: QueueState): void {
  const { jobs, groups } = queue;
  for (const token of [...groups.shared.endingCalls.keys()]) callOfGroupEnded(queue, token);
  queue.change({ endingCalls: new Map(), stalledCheckAt: 0 });
  for (const job of jobs.in.active.fromLast()) {
    if (job.lock?.isCalled === true) jobs.write(job, { lock: undefined, suspect: true });
  }
}

/** The fields of a job after an attempt ended. */
export function withRecordedAttempt(job: JobRecord, ended: AttemptEnd, now: number): JobChanges {
  const saved =
    job.steps.length > 0 ? { ...ended, saved: savedAt(job.attemptsStarted, job.steps) } : ended;
  return { attempts: withAttempt(job.attempts, saved, job.processedOn ?? now, now) };
}

/** The same of an attempt whose job is taken from it. */
export function withTakenAttempt(
  { record }: QueueState,
  job: JobRecord,
  ended: Pick<AttemptEnd, 'outcome' | 'reason'>,
  now: number,
): JobChanges {
  const { token } = job.lock ?? {};
  const batch = token === undefined ? undefined : callOfSeveral(record.calls, token);
  const taken = token === undefined ? undefined : { token, starts: job.attemptsStarted };
  return withRecordedAttempt(
    job,
    {
      ...ended,
      ...(job.processedBy !== undefined && { replica: job.processedBy }),
      ...(batch && { batch }),
      ...(taken && { taken }),
    },
    now,
  );
}

/** The fields of a job after a failure. */
export function withReason(job: JobRecord, reason: string): JobChanges {
  return { failedReason: reason, stacktrace: withFailure(job.stacktrace, reason) };
}
