import type { JobStatus } from '../jobs/job-status.ts';

/** The statuses of jobs that wait for their next attempt. */
export type UnstartedStatus = Extract<JobStatus, 'waiting' | 'prioritized' | 'delayed'>;

/**
 * The position of a job that waits: the head or the tail of the jobs with the same status and rank. The lowest rank
 * starts first. The rank of a delayed job is its due time (epoch ms), that of a prioritized one its priority.
 *
 * Delayed jobs that are due start first, then the waiting ones, then the prioritized ones.
 */
export interface Place {
  readonly status: UnstartedStatus;
  readonly rank: number;
  readonly end: 'head' | 'tail';
}

/** What decides the place of a job. Priority 0 means none. */
export interface Ordered {
  readonly priority: number;
  readonly lifo: boolean;
}

const LAST_WAITING: Place = { status: 'waiting', rank: 0, end: 'tail' };

/** The place of a stalled job: ahead of all waiting jobs, regardless of its priority. */
export const AHEAD_OF_ALL: Place = { status: 'waiting', rank: 0, end: 'head' };

/** The place of a job that was added, is retried at once, or became due with a priority. */
export function placeOf({ priority, lifo }: Ordered): Place {
  return lifo && priority === 0 ? AHEAD_OF_ALL : placeBehind(priority);
}

/** Behind the jobs that already wait, or that have the same priority. */
export function placeBehind(priority: number): Place {
  return priority > 0 ? { status: 'prioritized', rank: priority, end: 'tail' } : LAST_WAITING;
}

/** The place of a job that waits for `delay` ms from now. */
export function delayedPlace(delay: number, now: number): Place {
  return { status: 'delayed', rank: now + delay, end: 'tail' };
}

/** The place of a parent that no longer waits for its children. */
export function placeOfParent(
  { delay, priority }: Pick<Ordered, 'priority'> & { readonly delay: number },
  now: number,
): Place {
  if (delay > 0) return delayedPlace(delay, now);
  return priority > 0 ? placeBehind(priority) : AHEAD_OF_ALL;
}

/**
 * What a delayed job does now: it keeps waiting, starts ahead of all others, or queues behind the jobs of its priority.
 */
export function whenDue(
  { priority }: Pick<Ordered, 'priority'>,
  dueAt: number,
  now: number,
): 'waits' | 'starts' | 'queues' {
  if (dueAt > now) return 'waits';
  return priority === 0 ? 'starts' : 'queues';
}

/** The place of an active job that goes back as if its attempt had never started: the head of its priority. */
export function placeOfReturned(priority: number): Place {
  return priority > 0 ? { status: 'prioritized', rank: priority, end: 'head' } : AHEAD_OF_ALL;
}

/** A job that went back and has not moved since, with its number in the order of starts. */
export interface Returned {
  readonly priority: number;
  readonly started: number;
}

/**
 * The job behind which a returned job goes, rather than at the head; undefined when there is none. Thus jobs that go
 * back before another one starts keep the order in which they had started, whichever goes back first.
 *
 * @param returned the jobs that went back since the last start.
 */
export function predecessor<Job extends Returned>(
  returned: Iterable<Job>,
  { priority, started }: Returned,
): Job | undefined {
  let last: Job | undefined;
  for (const job of returned) {
    const isBefore = job.priority === priority && job.started < started;
    if (isBefore && (last === undefined || job.started > last.started)) last = job;
  }
  return last;
}
