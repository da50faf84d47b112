import { afterChildRemoved, type Parent, type ParentMove } from '../flows/family.ts';
import type { ListedJob } from '../records/job-record.ts';
import { freeDeduplication } from './deduplication.ts';
import { endWaiting, leave } from './places.ts';
import type { QueueState } from './queue-state.ts';

/** The most records that one step removes; its last job goes with all of its records. */
export const MOST_REMOVED = 1000;

/** How many records go with a job that is removed: each value of a step has one. */
export function recordsOf({ lastStep }: ListedJob): number {
  return 1 + lastStep;
}

/**
 * Removes the job without touching its deduplication. Its parent no longer waits for it.
 *
 * @param isDrained whether its queue is drained: a parent in it with no other child to wait for is removed too.
 */
export function discard(queue: QueueState, job: ListedJob, now: number, isDrained = false): void {
  leave(queue, job);
  queue.jobs.remove(job);
  childRemoved(queue, job, now, isDrained);
}

/** Removes the job and frees its deduplication id. */
export function remove(queue: QueueState, job: ListedJob, now: number, isDrained = false): void {
  discard(queue, job, now, isDrained);
  freeDeduplication(queue, job, now);
}

/** A parent does not wait for a removed child. */
export function childRemoved(
  child: QueueState,
  { id, parent: link }: ListedJob,
  now: number,
  isDrained: boolean,
): void {
  const { name } = child;
  const queue = link && child.other(link.queue);
  const parent = link && queue?.jobs.find(link.id);
  const children = parent && queue?.jobs.childrenOf(parent);
  const known = children?.waitedFor({ queue: name, id });
  if (queue === undefined || parent === undefined || known === undefined) return;
  const move = afterChildRemoved(asParent(queue, parent), isDrained && queue.name === name);
  children?.forget(known);
  moveParent(queue, parent, move, now);
}

export function asParent({ jobs }: QueueState, parent: ListedJob): Parent {
  const { status: state = 'waiting' } = parent;
  return { state, waitsFor: jobs.childrenOf(parent)?.waitsFor ?? 0 };
}

/** Moves a parent after something happened to one of its children. */
export function moveParent(
  queue: QueueState,
  parent: ListedJob,
  move: ParentMove,
  now: number,
): void {
  switch (move) {
    case 'stays':
      return;
    case 'removed':
      discard(queue, parent, now, true);
      return;
    case 'starts':
      endWaiting(queue, queue.jobs.indexed(parent), now);
      break;
    case 'is-due':
      queue.jobs.write(queue.jobs.indexed(parent), { delay: 0 });
      endWaiting(queue, queue.jobs.indexed(parent), now);
  }
  queue.wake();
}
