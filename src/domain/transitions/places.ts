import {
  AHEAD_OF_ALL,
  delayedPlace,
  placeBehind,
  placeOf,
  placeOfParent,
  placeOfReturned,
  predecessor,
  type Place,
} from '../attempts/order.ts';
import type { JobState } from '../jobs/job-status.ts';
import type { Child } from '../records/child-record.ts';
import {
  hasEnded,
  type IndexedJob,
  type JobRecord,
  type ListedJob,
} from '../records/job-record.ts';
import { NEVER } from '../steps/suspension.ts';
import { delayGroup, isBlocking } from './groups/blocking.ts';
import {
  beginGroups,
  enterGroup,
  leaveGroup,
  reenterGroup,
  ungroupedWaits,
} from './groups/waiting.ts';
import type { JobPlace, PlacesOfJobs, QueueState } from './queue-state.ts';
import { leaveLimits } from './shared-limits.ts';

/* Where the jobs of a queue are, and how they move. Every move of a job goes through `leave` and `enter`. */

/** Waiting jobs of groups are listed behind the others; among them they start in turns. */
export const RANK_OF_GROUPED = -1;

/** Takes the job from its place. @param turn as in `leaveGroup`. */
export function leave(queue: QueueState, job: ListedJob, turn?: string): void {
  const { jobs } = queue;
  if (job.status !== undefined) jobs.in[job.status].remove(job);
  if (job.group !== undefined) leaveGroup(queue, job, turn);
  if (hasEnded(job)) return;
  const moved = jobs.indexed(job);
  leaveLimits(queue, moved);
  if (moved.returned !== undefined) jobs.write(moved, { returned: undefined });
}

/** Gives a job that left its place another state. @returns the jobs of that state, which it has to be put among. */
export function enter<State extends JobState>(
  queue: QueueState,
  job: IndexedJob,
  status: State,
): PlacesOfJobs[State] {
  if (isWaiting(status) && !isWaiting(job.status)) queue.note('waiting', job.id);
  queue.jobs.write(job, { status });
  return queue.jobs.in[status];
}

/** Stores a job under a free id, and puts it where it has to wait. */
export function insert(queue: QueueState, job: JobRecord, now: number): JobRecord {
  noteKind(queue, job);
  const stored = queue.jobs.insert(job);
  queue.note('added', job.id, job.name);
  if (job.delay > 0) defer(queue, stored, job.delay, now);
  else enqueue(queue, stored);
  return stored;
}

/** Stores a job that waits for its children. */
export function insertParent(queue: QueueState, job: JobRecord, children: readonly Child[]): void {
  noteKind(queue, job);
  const stored = queue.jobs.insert(job, children);
  queue.note('added', job.id, job.name);
  enter(queue, stored, 'waiting-children').append(stored, 0);
}

/** Notes that a queue has jobs with groups, or with costs: others pay for neither. */
export function noteKind(queue: QueueState, { group, cost }: JobRecord): void {
  if (group !== undefined) beginGroups(queue);
  if (cost !== undefined && queue.record.hasCosts !== true) queue.change({ hasCosts: true });
}

/** Lets a job that ended wait for its children again. */
export function waitForChildren(queue: QueueState, job: IndexedJob): void {
  leave(queue, job);
  enter(queue, job, 'waiting-children').append(job, 0);
}

/** Ends the wait of a job for its children. It goes ahead of the waiting jobs unless its options say otherwise. */
export function endWaiting(queue: QueueState, job: IndexedJob, now: number): void {
  const place = placeOfParent(job, now);
  if (place.status === 'delayed') defer(queue, job, job.delay, now);
  else put(queue, job, place);
}

/** Puts the job behind those that already wait, or ahead of them if it was added last in, first out. */
export function enqueue(queue: QueueState, job: IndexedJob): void {
  put(queue, job, placeOf(job));
}

/** Puts the job ahead of those that already wait or, if it has a priority, behind those of that priority. */
export function enqueueAhead(queue: QueueState, job: IndexedJob): void {
  put(queue, job, placeOf({ priority: job.priority, lifo: true }));
}

/** Puts the job, due at once, behind those that already wait or, if it has a priority, behind those of that priority. */
export function moveBehind(queue: QueueState, job: IndexedJob): void {
  queue.jobs.write(job, { delay: 0 });
  put(queue, job, placeBehind(job.priority));
}

/** Puts the job ahead of all waiting jobs, regardless of its priority. */
export function putFirst(queue: QueueState, job: IndexedJob): void {
  if (job.group !== undefined) putBackInGroup(queue, job);
  else put(queue, job, AHEAD_OF_ALL);
}

/**
 * Puts the job ahead of those that wait, or of those that have its priority, but behind those that were put back
 * before, had started before it, and have not moved since. No job has started since then.
 */
export function putBack(queue: QueueState, job: IndexedJob): void {
  if (job.group !== undefined) {
    putBackInGroup(queue, job);
    return;
  }
  const { jobs, record } = queue;
  const { priority, position } = job;
  const started = position?.order ?? 0;
  const others = Array.from(jobs.returned(), (other) => {
    return { job: other, priority: other.priority, started: other.returned?.started ?? 0 };
  });
  const before = predecessor(others, { priority, started });
  const place = placeOfReturned(priority);
  const list = jobs.in[place.status];
  const ahead = before === undefined ? [] : takenUpTo(list, place.rank, before.job);
  put(queue, job, place);
  for (const each of ahead.reverse()) list.prepend(each, place.rank);
  jobs.write(job, { returned: { started, starts: record.starts } });
}

/** Keeps the job from being taken for `delay` ms. */
export function defer(queue: QueueState, job: IndexedJob, delay: number, now: number): void {
  moveTo(queue, job, now + delay, now);
  queue.note('delayed', job.id, now + delay);
}

/** Has a job fall due at a time (epoch ms), without an event; with none it waits as long as it takes. */
export function moveTo(
  queue: QueueState,
  job: IndexedJob,
  dueAt: number | undefined,
  now: number,
): void {
  const isRetried = job.status === 'delayed' && isBlocking(queue, job);
  queue.jobs.write(job, { delay: Math.max((dueAt ?? now) - now, 0) });
  put(queue, job, delayedPlace(Math.max((dueAt ?? NEVER) - now, 0), now));
  if (isRetried) delayGroup(queue, job);
}

export function put(queue: QueueState, job: IndexedJob, { status, rank, end }: Place): void {
  const blocks = job.group !== undefined && isBlocking(queue, job);
  // A job that is added comes from no place.
  if (job.status !== undefined) leave(queue, job);
  if (job.group !== undefined && isWaiting(status)) {
    enterGroup(queue, job, status === 'prioritized' ? rank : 0, blocks ? 'head' : end);
    enter(queue, job, 'waiting').append(job, RANK_OF_GROUPED);
    return;
  }
  if (isWaiting(status)) ungroupedWaits(queue, job.status === 'active');
  const list = enter(queue, job, status);
  if (end === 'head') list.prepend(job, rank);
  else list.append(job, rank);
}

function putBackInGroup(queue: QueueState, job: IndexedJob): void {
  leave(queue, job);
  reenterGroup(queue, job);
  enter(queue, job, 'waiting').append(job, RANK_OF_GROUPED);
}

/** Takes the jobs of a rank from the head of a list, up to and including the last one given. */
function takenUpTo(list: JobPlace, rank: number, last: IndexedJob): IndexedJob[] {
  const taken: IndexedJob[] = [];
  for (let first = list.firstOf(rank); first !== undefined; first = list.firstOf(rank)) {
    list.remove(first);
    taken.push(first);
    if (first === last) break;
  }
  return taken;
}

function isWaiting(status: JobState | undefined): boolean {
  return status === 'waiting' || status === 'prioritized';
}
