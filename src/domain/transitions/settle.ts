import {
  lateReportOutcome,
  REPORT_MEMORY,
  reportOf,
  type Report,
  type ReportOutcome,
} from '../attempts/attempt-report.ts';
import type { AttemptKey } from '../attempts/attempt.ts';
import { judged, REPORTED } from '../attempts/breaker.ts';
import type { ClaimRequest } from '../attempts/claim.ts';
import {
  afterEnding,
  afterRelease,
  recordOf,
  type AttemptEnding,
  type JobMove,
  type MovingEnding,
  type Settled,
} from '../attempts/ending.ts';
import { heldAt } from '../attempts/gate.ts';
import type { IndexedJob, JobRecord } from '../records/job-record.ts';
import type { SuspensionRefusal, SuspensionRequest } from '../steps/suspension-request.ts';
import { claim } from './claim.ts';
import { blockGroupOfKept } from './expire.ts';
import { finish } from './finish.ts';
import { delayGroup } from './groups/blocking.ts';
import { holdGroup } from './groups/changing.ts';
import { forgetTurns } from './groups/waiting.ts';
import {
  correctStart,
  heldJob,
  uncountStart,
  UNLOCKED,
  withReason,
  withRecordedAttempt,
} from './holding.ts';
import { inOneStep } from './in-one-step.ts';
import { defer, enqueue, enqueueAhead, putBack } from './places.ts';
import { holdQueue, noteIfDrained } from './queue-control.ts';
import type { QueueState } from './queue-state.ts';
import { suspend } from './suspend.ts';

/**
 * Ends an attempt, and claims the next job if `next` asks for it. Records nothing for an attempt that has lost its job.
 */
export function settle(
  queue: QueueState,
  attempt: AttemptKey,
  ending: AttemptEnding,
  now: number,
  next?: ClaimRequest,
): Settled {
  const { lastId } = queue.record;
  const ended = end(queue, attempt, ending, now);
  // An attempt that has lost its job may have had the next one claimed before.
  if (!ended.held || ended.refusal !== undefined) return ended;
  const settled = next === undefined ? ended : { ...ended, next: claim(queue, next, now) };
  const comesBack = ending.kind !== 'completed' && ending.kind !== 'failed';
  const hasDelayed = next !== undefined && queue.jobs.in.delayed.size > 0;
  if (!comesBack && !hasDelayed) noteIfDrained(queue);
  if (!comesBack) forgetTurns(queue);
  // When the claim in the same step took the next job, no other job waits newly unless this one comes back or adds
  // one.
  const hasNewWork = comesBack || queue.record.lastId !== lastId || queue.groups.shared.isGrouped;
  if (next === undefined || hasNewWork) queue.wake();
  return settled;
}

/** Ends an attempt by a report, which may be repeated for a while. */
export function reportEnding(
  queue: QueueState,
  attempt: AttemptKey,
  ending: AttemptEnding,
  now: number,
): ReportOutcome {
  const { held } = settle(queue, attempt, ending, now);
  return reported(queue, attempt, reportOf(ending), held, now);
}

/** Puts the job back by a report, now or after `delay` ms. @param cost what its start counted, if that was reported. */
export function reportRelease(
  queue: QueueState,
  attempt: AttemptKey,
  delay: number,
  cost: number | undefined,
  now: number,
): ReportOutcome {
  const job = heldJob(queue, attempt);
  if (job !== undefined && cost !== undefined) correctStart(queue, job, cost);
  const held = putBackHeld(queue, attempt, delay, now);
  if (held) queue.wake();
  return reported(queue, attempt, 'released', held, now);
}

/** Suspends the job by a report. */
export function reportSuspension(
  queue: QueueState,
  attempt: AttemptKey,
  request: SuspensionRequest,
  now: number,
): ReportOutcome | SuspensionRefusal {
  const { cost } = request;
  const call = { outcome: 'suspended', ...(cost !== undefined && { cost }) } as const;
  const ending = { kind: 'suspended', request, call, verdict: REPORTED } as const;
  const { held, refusal } = settle(queue, attempt, ending, now);
  return refusal ?? reported(queue, attempt, 'suspended', held, now);
}

/**
 * Puts the job back without a report, now or after `delay` ms.
 *
 * @param isUncounted whether its start no longer counts for limiters.
 */
export function release(
  queue: QueueState,
  attempt: AttemptKey,
  isUncounted: boolean,
  delay: number,
  now: number,
): void {
  if (isUncounted) uncountStart(queue, attempt);
  putBackHeld(queue, attempt, delay, now);
  queue.wake();
}

/** The report that ended the attempt; undefined when none is remembered. */
export function rememberedReport(
  queue: QueueState,
  { jobId, token }: AttemptKey,
  now: number,
): Report | undefined {
  forgetReports(queue, now);
  const remembered = queue.reports.find(token);
  return remembered?.jobId === jobId ? remembered.report : undefined;
}

/** @param held whether the attempt held its job, and so the report ended it. */
function reported(
  queue: QueueState,
  attempt: AttemptKey,
  report: Report,
  held: boolean,
  now: number,
): ReportOutcome {
  const before = rememberedReport(queue, attempt, now);
  if (!held) return lateReportOutcome(report, before);
  const { jobId, token } = attempt;
  queue.reports.put(token, { jobId, report, until: now + REPORT_MEMORY });
  return 'recorded';
}

function forgetReports({ reports }: QueueState, now: number): void {
  for (const [token, { until }] of inOneStep(() => reports.oldest())) {
    if (until > now) return;
    reports.remove(token);
  }
}

function end(queue: QueueState, attempt: AttemptKey, ending: AttemptEnding, now: number): Settled {
  const held = heldJob(queue, attempt);
  if (held === undefined) return { held: false };
  const job = queue.jobs.whole(held);
  if (ending.kind === 'suspended') {
    const refusal = suspend(queue, job, ending.request, now);
    // It changed nothing then: the attempt still holds its job.
    if (refusal !== undefined) return { held: true, refusal };
    recordCall(queue, job, ending, now);
    return { held: true, ...judge(queue, attempt, ending, now) };
  }
  // Throws for a value that JSON cannot carry, before anything is written.
  const returnvalue = ending.kind === 'completed' ? JSON.stringify(ending.returnvalue) : undefined;
  const { move, holds, holdsGroup } = afterEnding(ending, now, job.group !== undefined);
  const { jobs } = queue;
  recordCall(queue, job, ending, now);
  // A job that failed alone stays apart from those of other halves.
  if ('half' in ending && ending.half !== undefined) jobs.write(job, { half: ending.half });
  jobs.write(job, UNLOCKED);
  if (ending.kind === 'deferred') {
    if (ending.half === undefined) {
      queue.note('deferred', job.id);
      jobs.write(job, { deferrals: job.deferrals + 1 });
    }
    const beginsHold = holds !== undefined && heldAt(queue.record.hold, now) === undefined;
    if (holds !== undefined) holdQueue(queue, holds, 'endpoint', now);
    if (holdsGroup !== undefined && job.group !== undefined) {
      holdGroup(queue, job.group.id, holdsGroup, now);
    }
    moveEnded(queue, job, ending, move, now);
    return { held: true, beginsHold };
  }
  jobs.write(job, { attemptsMade: job.attemptsMade + 1 });
  if (returnvalue !== undefined) jobs.write(job, { returnvalue });
  if (ending.kind !== 'completed') jobs.write(job, withReason(job, ending.reason));
  moveEnded(queue, job, ending, move, now);
  return { held: true, ...judge(queue, attempt, ending, now) };
}

function recordCall(queue: QueueState, job: JobRecord, ending: AttemptEnding, now: number): void {
  const called = recordOf(ending);
  if (called === undefined) return;
  if (called.cost !== undefined) correctStart(queue, job, called.cost);
  queue.jobs.write(job, withRecordedAttempt(job, { ...called, replica: queue.replica }, now));
}

/** Applies what a call shows about its endpoint to the breaker. */
function judge(
  queue: QueueState,
  attempt: AttemptKey,
  { verdict }: Exclude<AttemptEnding, { readonly kind: 'deferred' }>,
  now: number,
): Pick<Settled, 'breaker'> {
  if (verdict === undefined) return {};
  const { state, move } = judged(queue.record.breaker, attempt, verdict, now);
  if (state !== queue.record.breaker) queue.change({ breaker: state });
  return move === undefined ? {} : { breaker: move };
}

/** @returns false when the attempt had lost its job. */
function putBackHeld(queue: QueueState, attempt: AttemptKey, delay: number, now: number): boolean {
  const job = heldJob(queue, attempt);
  if (job === undefined) return false;
  queue.jobs.write(job, UNLOCKED);
  moveJob(queue, job, afterRelease(delay), now);
  return true;
}

/** Where jobs of groups are ordered, a job that waits again keeps its place ahead of the others. */
function moveEnded(
  queue: QueueState,
  job: IndexedJob,
  { kind }: MovingEnding,
  move: JobMove,
  now: number,
): void {
  if (job.group !== undefined && move.to === 'place') putBack(queue, job);
  else moveJob(queue, job, move, now);
  if (kind === 'failed') blockGroupOfKept(queue, job);
}

function moveJob(queue: QueueState, job: IndexedJob, move: JobMove, now: number): void {
  switch (move.to) {
    case 'end':
      finish(
        queue,
        queue.jobs.whole(job),
        `job.${move.status}`,
        move.keep,
        now,
        move.deadLetterQueue,
      );
      break;
    case 'delayed':
      defer(queue, job, move.delay, now);
      delayGroup(queue, job);
      break;
    case 'place':
      if (move.isAhead === true) enqueueAhead(queue, job);
      else enqueue(queue, job);
      break;
    case 'back':
      putBack(queue, job);
  }
}
