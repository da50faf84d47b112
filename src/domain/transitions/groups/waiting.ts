import { NO_GROUP } from '../../groups/group-id.ts';
import type { GroupRecord } from '../../records/group-record.ts';
import type { IndexedJob, ListedJob, Position } from '../../records/job-record.ts';
import type { JobsState, QueueState } from '../queue-state.ts';
import { isOrdered } from '../../groups/ordered-jobs.ts';
import { beginAnew, forgetIfSpent, rest, takePart, unpark } from './turns.ts';

/*
 * The waiting jobs of groups, in the order in which they start. Jobs without a priority have the rank UNRANKED; jobs
 * that fell due rank below it, by due time; jobs with a priority rank above. A job keeps its place while it runs, so no
 * number is given out twice, even if the group was forgotten in the meantime.
 */
const UNRANKED = 0;

/** Above any due time (epoch ms). */
const BEYOND_TIME = Number.MAX_SAFE_INTEGER;

/** How many jobs without a group wait. */
export function ungrouped({ jobs, groups }: QueueState): number {
  return jobs.in.waiting.size - groups.waiting + jobs.in.prioritized.size;
}

export function firstUngrouped(jobs: JobsState): IndexedJob | undefined {
  return jobs.in.waiting.firstOf(0) ?? jobs.in.prioritized.first();
}

/** Whether a job without a group may start now: one waits, or fell due. */
export function hasUngrouped(queue: QueueState, now: number): boolean {
  if (ungrouped(queue) > 0) return true;
  const due = queue.jobs.in.delayed.first();
  return due !== undefined && due.group === undefined && (due.position?.rank ?? 0) <= now;
}

/**
 * Called before the first job with a group is added. Jobs without a group that were there before have the first turn.
 */
export function beginGroups(queue: QueueState): void {
  const { groups } = queue;
  if (groups.shared.isGrouped) return;
  groups.share({ isGrouped: true });
  if (ungrouped(queue) > 0) beReady(queue, groups.open(NO_GROUP));
}

/** Puts a job among the waiting ones of its group, behind those of its priority or ahead of them. */
export function enterGroup(
  queue: QueueState,
  job: IndexedJob,
  priority: number,
  end: 'head' | 'tail',
): void {
  enter(queue, job, placeByPriority(queue, job, priority, end));
}

/** Puts a job that fell due among the waiting ones of its group. */
export function enterGroupDue(queue: QueueState, job: IndexedJob, dueAt: number): void {
  const place = (): Position => ({ rank: dueAt - BEYOND_TIME, order: queue.groups.nextPlace(job) });
  enter(queue, job, job.priority > 0 ? placeByPriority(queue, job, job.priority, 'tail') : place);
}

/** Puts a job back where it was taken or, where jobs are ordered, ahead of all others of its group. */
export function reenterGroup(queue: QueueState, job: IndexedJob): void {
  const first = (): Position => ({ rank: -BEYOND_TIME, order: -queue.groups.nextPlace(job) });
  const taken = job.groupPosition;
  const again =
    taken === undefined ? placeByPriority(queue, job, job.priority, 'head') : () => taken;
  enter(queue, job, isOrdered(queue.groups.shared.defaults) ? first : again, true);
}

/**
 * Called when a job with a group leaves its place. A job that ran, failed or waited for another attempt may free its
 * group.
 *
 * @param turn the id of the group whose turn it is: it does not rest before its job has started.
 */
export function leaveGroup(queue: QueueState, job: ListedJob, turn?: string): void {
  const { groups } = queue;
  const group = job.group && groups.find(job.group.id);
  if (group === undefined || job.status === undefined) return;
  if (job.status === 'waiting') {
    groups.leave(group, job);
    if (groups.jobsOf(group).size > 0 || group.id === turn) return;
    rest(groups, group);
    forgetTurns(queue);
    return;
  }
  if (group.failedJob === job.id) groups.write(group, { failedJob: undefined });
  if (group.retriedJob === job.id) groups.write(group, { retriedJob: undefined });
  unpark(groups, group);
  groups.noteRoom(group);
  forgetIfSpent(groups, group);
}

/**
 * Called when a job without a group waits: jobs without a group take a turn behind the groups that are ready.
 *
 * @param hasRun whether the job was running until now: then the queue was busy, and no turns are forgotten.
 */
export function ungroupedWaits(queue: QueueState, hasRun = false): void {
  const { groups } = queue;
  if (!groups.shared.isGrouped) return;
  if (hasRun) takePart(groups, groups.open(NO_GROUP));
  else beReady(queue, groups.open(NO_GROUP));
}

/** Lets all groups begin anew if no job waits and none runs. */
export function forgetTurns(queue: QueueState): void {
  const { groups, jobs } = queue;
  const isBusy =
    groups.waiting > 0 ||
    ungrouped(queue) > 0 ||
    jobs.in.active.size > 0 ||
    groups.shared.endingCalls.size > 0;
  if (!isBusy && groups.shared.hasBegun) beginAnew(groups);
}

/** @param hasRun as in `ungroupedWaits`. */
function enter(queue: QueueState, job: IndexedJob, place: () => Position, hasRun = false): void {
  const { groups } = queue;
  const id = job.group?.id ?? NO_GROUP;
  let group = groups.open(id);
  if (hasRun) takePart(groups, group);
  else group = beReady(queue, group);
  groups.enter(group, job, place());
}

function placeByPriority(
  { groups }: QueueState,
  job: IndexedJob,
  priority: number,
  end: 'head' | 'tail',
): () => Position {
  return () => {
    const number = groups.nextPlace(job);
    return { rank: UNRANKED + priority, order: end === 'head' ? -number : number };
  };
}

/** @returns the group, which may have been forgotten and opened again. */
function beReady(queue: QueueState, { id }: GroupRecord): GroupRecord {
  forgetTurns(queue);
  const group = queue.groups.open(id);
  takePart(queue.groups, group);
  return group;
}
