import type { JobAddress } from '../flows/flow.ts';
import type { BlockedGroup, GroupStanding } from '../groups/group.ts';
import type { JobState } from '../jobs/job-status.ts';
import type { JobSummary } from '../jobs/job-summary.ts';
import { isScheduled, schedulerOf } from '../schedulers/scheduled-job.ts';
import { inWords } from '../values/duration.ts';
import type { Stop } from '../values/stop.ts';
import {
  closedBy,
  fullBy,
  stopped,
  type Blocked,
  type QueueStanding,
  type WaitingQueue,
} from './blocked.ts';
import type { Worker } from './worker.ts';

/** What decides whether a job of a queue starts. */
export interface JobSurroundings {
  readonly queue: WaitingQueue;
  readonly standing: QueueStanding;
  readonly worker: Worker | undefined;
  /** Absent for a job without a group. */
  readonly group?: GroupStanding | undefined;
}

type WaitingJob = JobAddress & Pick<JobSummary, 'state' | 'dueAt' | 'attemptsMade'>;

/**
 * Why a job does not start; undefined when it starts in its turn, and when it has started. For a delayed job, only a
 * reason that outlasts the delay counts. Parents are not examined.
 */
export function jobBlockedBy(
  job: WaitingJob,
  { queue, standing, worker, group }: JobSurroundings,
): Blocked | undefined {
  const { now } = standing;
  const closed = closedBy(queue, standing, worker);
  switch (job.state) {
    case 'waiting':
    case 'prioritized':
      return closed ?? fullBy(standing, worker) ?? byGroup(job, group, now);
    case 'delayed':
      return lasting(closed, job) ?? lasting(byGroup(job, group, now), job) ?? byDelay(job, now);
    default:
      return undefined;
  }
}

/** Limits are left out: they change until the job is due. */
function lasting(blocked: Blocked | undefined, { dueAt }: WaitingJob): Blocked | undefined {
  return (blocked?.until ?? Infinity) > (dueAt ?? 0) ? blocked : undefined;
}

function byDelay(job: WaitingJob, now: number): Blocked | undefined {
  const { id, dueAt, attemptsMade } = job;
  if (dueAt === null || dueAt <= now) return undefined;
  const due = `due in ${inWords(dueAt - now)}`;
  const detail =
    attemptsMade > 0
      ? `The next attempt of the job is ${due}`
      : isScheduled(id)
        ? `The job is the next of the scheduler ${schedulerOf(id)} and ${due}`
        : `The job is delayed and ${due}`;
  return { reason: 'delayed', until: dueAt, detail };
}

function byGroup(
  job: WaitingJob,
  group: GroupStanding | undefined,
  now: number,
): Blocked | undefined {
  const found = group && blockOf(group, job.state);
  if (group === undefined || found === undefined || found.job === job.id) return undefined;
  const { until, job: id } = found;
  return {
    reason: 'groups',
    ...(until !== undefined && { until }),
    ...stopped(inGroup(group.id, found, now), stopOf(group, found)),
    ...(id !== undefined && { queue: job.queue, id }),
  };
}

/** A group without waiting jobs has no reason of its own. For a delayed job, its limits do not count. */
function blockOf(
  { blocked, paused, heldUntil }: GroupStanding,
  state: JobState,
): BlockedGroup | undefined {
  if (state !== 'delayed') return blocked ?? undefined;
  if (paused) return { reason: 'paused' };
  return heldUntil === null ? undefined : { reason: 'held', until: heldUntil };
}

/** Who stopped the group, if somebody did and that is the reason. */
function stopOf({ pause, hold }: GroupStanding, { reason }: BlockedGroup): Stop | undefined {
  if (reason === 'paused') return pause;
  return reason === 'held' ? hold : undefined;
}

function inGroup(group: string, { reason, until, job }: BlockedGroup, now: number): string {
  const left = until === undefined ? '' : inWords(until - now);
  switch (reason) {
    case 'paused':
      return `The group ${group} of the job is paused`;
    case 'held':
      return `The group ${group} of the job is held for another ${left}`;
    case 'failed-job':
      return until === undefined
        ? `Job ${job} of the ordered group ${group} failed`
        : `Job ${job} of the ordered group ${group} comes first; its next attempt is due in ${left}`;
    case 'concurrency':
      return `The group ${group} of the job is at its concurrency limit`;
    case 'limiter':
      return `The limiter of the group ${group} of the job allows the next start in ${left}`;
  }
}

/** A job that a parent waits for, as far as the caller may know it. */
export interface JobInTheWay extends JobAddress {
  readonly isFailed: boolean;
  /** Undefined when it no longer exists. */
  readonly state: JobState | undefined;
  readonly blocked: Blocked | undefined;
}

/** Why a job that waits for its children does not start. @param job undefined when the caller may not know it. */
export function parentBlockedBy(job: JobInTheWay | undefined): Blocked {
  if (job === undefined) return { reason: 'children', detail: 'The job waits for its children' };
  const { queue, id } = job;
  return { reason: 'children', detail: `The job waits for a child that ${doing(job)}`, queue, id };
}

function doing({ isFailed, state, blocked }: JobInTheWay): string {
  if (isFailed) return 'failed';
  if (state === undefined) return 'no longer exists';
  if (state === 'active') return 'is running';
  return blocked === undefined ? 'is waiting' : `does not start: ${blocked.detail}`;
}
