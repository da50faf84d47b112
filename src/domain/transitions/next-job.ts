import { AHEAD_OF_ALL, whenDue } from '../attempts/order.ts';
import { NO_GROUP } from '../groups/group-id.ts';
import type { GroupDefaults } from '../groups/group-settings.ts';
import type { IndexedJob, JobRecord } from '../records/job-record.ts';
import { isBlocking } from './groups/blocking.ts';
import { nextTurn, turnOutOfTurn } from './groups/next-group.ts';
import { enterGroupDue, firstUngrouped, reenterGroup, ungroupedWaits } from './groups/waiting.ts';
import { enqueue, enter, leave, put, putFirst, RANK_OF_GROUPED } from './places.ts';
import type { QueueState } from './queue-state.ts';

/** The most waiting jobs that are checked for one that may be taken out of turn. */
export const MOST_LOOKED_AT = 1000;

/** The most delayed jobs that a claim has wait elsewhere since they are due. */
const MOST_DUE = 1000;

/** Which jobs a claim may take. */
export interface Wanted {
  /** The settings in force for groups without their own. */
  readonly defaults: GroupDefaults | undefined;
  /** Until when (epoch ms) the limiter lets the job not start; undefined when it may. */
  readonly limitedUntil: (job: IndexedJob) => number | undefined;
  /** Whether the job may be taken when it is next. */
  readonly mayTake: (job: IndexedJob) => boolean;
  /** Whether the claim fills a call with several jobs, which may pass over the first job that is due. */
  readonly isOfBatch: boolean;
  /** Whether a job may be taken ahead of others that may not be taken, in a queue without groups. */
  readonly isAnyOrder: boolean;
  /**
   * The one group whose jobs may be taken; without `group`, only jobs without one. Absent where any job may be taken.
   */
  readonly only?: { readonly group?: string | undefined } | undefined;
}

/** The next job, and the id of the group whose turn it is, if the queue has groups. */
interface Next<Job extends IndexedJob = IndexedJob> {
  readonly job: Job;
  readonly group: string | undefined;
}

/** A job that was taken. */
export type Taken = Next<JobRecord>;

/** Until when (epoch ms) the limiter lets the next job not start. */
interface Limited {
  readonly until: number;
}

/**
 * Takes the next job to process, and makes it active: due ones first, then waiting, then prioritized ones. Where jobs
 * have groups, these take turns.
 *
 * @returns `another` when the next job may not be taken, `elsewhere` when not all of it is at hand yet.
 */
export function takeNext(
  queue: QueueState,
  wanted: Wanted,
  now: number,
): Taken | Limited | 'another' | 'elsewhere' | undefined {
  const { jobs, groups, record } = queue;
  const next = groups.shared.isGrouped
    ? nextInTurn(queue, wanted, now)
    : asNext(nextUngrouped(queue, wanted, now));
  if (next === undefined) {
    return wanted.only !== undefined && hasNext(queue, wanted, now) ? 'another' : undefined;
  }
  const until = wanted.limitedUntil(next.job);
  if (until !== undefined) return { until };
  const job = wanted.mayTake(next.job) ? next.job : nextBehind(queue, wanted);
  if (job === undefined) return 'another';
  const untilBehind = job === next.job ? undefined : wanted.limitedUntil(job);
  if (untilBehind !== undefined) return { until: untilBehind };
  if (!jobs.isAtHand(job, true)) return 'elsewhere';
  if (job.status === 'delayed') queue.note('waiting', job.id);
  queue.change({ starts: record.starts + 1 });
  leave(queue, job, next.group);
  jobs.write(job, { delay: 0 });
  enter(queue, job, 'active').append(job, 0);
  return { job: jobs.whole(job), group: next.group };
}

/** Whether a job of any group may start. */
function hasNext(queue: QueueState, { defaults }: Wanted, now: number): boolean {
  return nextTurn(queue, defaults, now) !== undefined;
}

/** The first waiting job that may be taken, if jobs may be taken out of turn. */
function nextBehind(
  { jobs, groups }: QueueState,
  { mayTake, isAnyOrder }: Wanted,
): IndexedJob | undefined {
  if (!isAnyOrder || groups.shared.isGrouped) return undefined;
  const { waiting, prioritized } = jobs.in;
  const first = waiting.fromFirst(MOST_LOOKED_AT);
  const others = prioritized.fromFirst(MOST_LOOKED_AT - first.length);
  return [...first, ...others].find(mayTake);
}

function nextUngrouped(
  queue: QueueState,
  { isOfBatch }: Wanted,
  now: number,
): IndexedJob | undefined {
  if (!isOfBatch) return nextDue(queue, now) ?? firstUngrouped(queue.jobs);
  moveDueAhead(queue, now);
  return firstUngrouped(queue.jobs);
}

function nextInTurn(queue: QueueState, wanted: Wanted, now: number): Next | undefined {
  const { defaults, only } = wanted;
  moveDueOfGroups(queue, now);
  const turn =
    only === undefined
      ? nextTurn(queue, defaults, now)
      : turnOutOfTurn(queue, only.group ?? NO_GROUP, now);
  return turn && asNext(turn.job ?? nextUngrouped(queue, wanted, now), turn.group);
}

/** Moves the due jobs of groups to the waiting ones, and lets jobs without a group take a turn if one fell due. */
function moveDueOfGroups(queue: QueueState, now: number): void {
  for (const job of queue.jobs.in.delayed.upTo(now, MOST_DUE)) {
    if (job.group === undefined) {
      ungroupedWaits(queue);
      continue;
    }
    const dueAt = job.position?.rank ?? now;
    const isRetried = isBlocking(queue, job);
    leave(queue, job);
    queue.jobs.write(job, { delay: 0 });
    if (isRetried) reenterGroup(queue, job);
    else enterGroupDue(queue, job, dueAt);
    enter(queue, job, 'waiting').append(job, RANK_OF_GROUPED);
  }
}

/** Moves due jobs ahead of all waiting ones, in the order in which they fell due. */
function moveDueAhead(queue: QueueState, now: number): void {
  const due: IndexedJob[] = [];
  for (const job of queue.jobs.in.delayed.upTo(now, MOST_DUE)) {
    queue.jobs.write(job, { delay: 0 });
    if (whenDue(job, now, now) === 'queues') enqueue(queue, job);
    else {
      put(queue, job, AHEAD_OF_ALL);
      due.push(job);
    }
  }
  for (const job of due.reverse()) putFirst(queue, job);
}

/** Due jobs with a priority go behind the jobs of equal priority instead of ahead of all. */
function nextDue(queue: QueueState, now: number): IndexedJob | undefined {
  const { delayed } = queue.jobs.in;
  for (let moved = 0; moved < MOST_DUE; moved += 1) {
    const job = delayed.first();
    if (job?.position === undefined) return undefined;
    const move = whenDue(job, job.position.rank, now);
    if (move === 'waits') return undefined;
    if (move === 'starts') return job;
    queue.jobs.write(job, { delay: 0 });
    enqueue(queue, job);
  }
  return undefined;
}

function asNext(job: IndexedJob | undefined, group?: string): Next | undefined {
  return job && { job, group };
}
