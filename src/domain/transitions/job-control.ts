import { waitsAgain } from '../flows/family.ts';
import { statesFor, statesWithin, type ActionOutcome } from '../jobs/job-actions.ts';
import { actionsOf, type JobChange } from '../jobs/job-change.ts';
import type { JobRetry } from '../jobs/job-retry.ts';
import type { Retention } from '../jobs/job-retention.ts';
import type { JobState } from '../jobs/job-status.ts';
import { hasEnded, withOptions, type JobRecord, type ListedJob } from '../records/job-record.ts';
import { jsonText } from '../values/json.ts';
import { childStartedOver } from './family.ts';
import { finish } from './finish.ts';
import { letCallEnd, UNLOCKED, withReason, withTakenAttempt } from './holding.ts';
import { unpark } from './groups/turns.ts';
import { defer, enqueue, moveBehind, noteKind, waitForChildren } from './places.ts';
import { noteIfDrained } from './queue-control.ts';
import { callEnded, callStartedOver } from './callbacks.ts';
import type { QueueState } from './queue-state.ts';
import { withinUnsent } from './unsent.ts';
import { remove } from './removal.ts';
import { isNextOfScheduler, planAfter } from './schedule.ts';
import { endedNow } from '../steps/suspension.ts';
import { forgetSteps } from './steps.ts';

/* The operations on single jobs. Each is allowed in some states only (domain/jobs/job-actions). */

/** @param within the states in which the caller wants it; any unless given. */
export function removeJob(
  queue: QueueState,
  jobId: string,
  now: number,
  within?: readonly JobState[],
): ActionOutcome {
  const next = queue.jobs.find(jobId);
  if (next !== undefined && isNextOfScheduler(queue, next)) {
    return { kind: 'needed', by: 'scheduler' };
  }
  return act(queue, statesWithin('remove', within), jobId, (job) => {
    const wasToEnd = !hasEnded(job);
    remove(queue, job, now);
    if (wasToEnd) callEnded(queue, jobId, now);
    queue.note('removed', job.id, undefined, job.group?.id);
  });
}

/** Removes an active job. Its call counts towards the concurrency until it is over. */
export function removeActiveJob(queue: QueueState, jobId: string, now: number): ActionOutcome {
  return act(queue, statesFor('removeActive'), jobId, (listed) => {
    const job = queue.jobs.indexed(listed);
    letCallEnd(queue, job, now);
    queue.jobs.write(job, UNLOCKED);
    remove(queue, job, now);
    callEnded(queue, jobId, now);
    queue.note('removed', job.id, undefined, job.group?.id);
    noteIfDrained(queue);
  });
}

/** What a suspended job awaits is over, sleeps and waits for signals as at their timeouts. */
export function promoteJob(queue: QueueState, jobId: string, now: number): ActionOutcome {
  return act(queue, statesFor('promote'), jobId, (job) => {
    const promoted = queue.jobs.indexed(job);
    const { suspension } = promoted;
    if (suspension !== undefined) {
      queue.jobs.write(promoted, { suspension: endedNow(suspension, now) });
    }
    moveBehind(queue, promoted);
  });
}

/** @param within as for `removeJob`. */
export function retryJob(
  queue: QueueState,
  jobId: string,
  { opts, data, steps = 'keep' }: JobRetry,
  now: number,
  within?: readonly JobState[],
): ActionOutcome {
  const { jobs } = queue;
  const known = jobs.find(jobId);
  if (known !== undefined && hasEnded(known) && jobs.whole(known).redactedOn !== undefined) {
    return { kind: 'redacted' };
  }
  const retry = (ended: ListedJob): void => {
    const job = jobs.whole(ended);
    jobs.write(job, {
      ...(data !== undefined && { data: jsonText(data) }),
      ...(opts !== undefined && withOptions(job, opts)),
      ...(job.status === 'failed' ? { failedReason: undefined } : { returnvalue: 'null' }),
      processedOn: undefined,
      finishedOn: undefined,
      mustFail: undefined,
      attemptsMade: 0,
      deferrals: 0,
      suspensions: 0,
      half: undefined,
    });
    if (steps === 'forget') forgetSteps(queue, job);
    if (waitsAgain(jobs.childrenOf(job)?.known ?? [])) waitForChildren(queue, job);
    else enqueue(queue, job);
    if (job.parent !== undefined) childStartedOver(queue, job);
    callStartedOver(queue, job.id);
  };
  return withinUnsent(queue, now, () => act(queue, statesWithin('retry', within), jobId, retry));
}

/** A cancellation of one job. `keep` is the worker's rule. */
export interface Cancellation {
  readonly reason: string;
  readonly keep?: Retention | undefined;
}

/** @param within as for `removeJob`. */
export function cancelJob(
  queue: QueueState,
  jobId: string,
  { reason, keep }: Cancellation,
  now: number,
  within?: readonly JobState[],
): ActionOutcome {
  return act(queue, statesWithin('cancel', within), jobId, (unfinished) => {
    const job = queue.jobs.whole(unfinished);
    planAfter(queue, job, now);
    const ended = { failedReason: reason, delay: 0 };
    if (job.status === 'active') {
      letCallEnd(queue, job, now);
      queue.jobs.write(job, {
        ...withTakenAttempt(queue, job, { outcome: 'cancelled', reason }, now),
        ...withReason(job, reason),
        ...UNLOCKED,
        attemptsMade: job.attemptsMade + 1,
        ...ended,
      });
    } else queue.jobs.write(job, ended);
    queue.note('cancelled', job.id, reason);
    finish(queue, job, 'job.cancelled', keep, now);
    noteIfDrained(queue);
  });
}

export function changeJob(
  queue: QueueState,
  jobId: string,
  change: JobChange,
  now: number,
): ActionOutcome {
  const { data, priority, delay, cost } = change;
  return act(queue, statesFor(...actionsOf(change)), jobId, (unfinished) => {
    const job = queue.jobs.indexed(unfinished);
    if (data !== undefined) queue.jobs.write(queue.jobs.whole(job), { data: jsonText(data) });
    if (priority !== undefined) {
      queue.jobs.write(job, { priority });
      moveBehind(queue, job);
    }
    if (delay !== undefined) defer(queue, job, delay, now);
    if (cost !== undefined) changeCost(queue, queue.jobs.whole(job), cost);
  });
}

/** Its group may start the job earlier than it seemed, and so may look at it again. */
function changeCost(queue: QueueState, job: JobRecord, cost: number): void {
  queue.jobs.write(job, withOptions(job, { cost }));
  noteKind(queue, job);
  const group = job.group && queue.groups.find(job.group.id);
  if (group !== undefined) unpark(queue.groups, group);
}

function act(
  queue: QueueState,
  allowed: readonly JobState[],
  jobId: string,
  change: (job: ListedJob) => void,
): ActionOutcome {
  const job = queue.jobs.find(jobId);
  if (job?.status === undefined) return { kind: 'missing' };
  if (!allowed.includes(job.status)) return { kind: 'refused', state: job.status };
  change(job);
  queue.wake();
  return { kind: 'done' };
}
