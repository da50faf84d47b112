import { queueFull, type DomainError } from '../errors.ts';
import type { NewFlowJob } from '../flows/flow.ts';
import type { QueueName } from '../queues/queue-name.ts';
import type { Child } from '../records/child-record.ts';
import { newJobRecord, type JobRecord } from '../records/job-record.ts';
import { waitingJobs } from './add.ts';
import { firstWithoutRoom } from './groups/changing.ts';
import { insert, insertParent } from './places.ts';
import type { QueueState } from './queue-state.ts';

/** The group of the job at that position has no room: this many of its jobs are waiting, those before it included. */
export interface FullGroup {
  readonly kind: 'group-full';
  readonly position: number;
  readonly waiting: number;
}

/** Why a flow is not added: a job exists, or its group has no room for it. */
export type FlowRefusal = { readonly kind: 'exists'; readonly position: number } | FullGroup;

/** The limits of a queue; the second one is for each group without a limit of its own. */
export interface FlowLimits {
  readonly maxWaiting: (queue: QueueName) => number | undefined;
  readonly maxWaitingOfGroup: (queue: QueueName) => number | undefined;
}

/**
 * Adds all jobs of a flow or none.
 *
 * @param jobs each before its children.
 * @param find a queue; undefined when there is none of that name.
 * @param open a queue, which exists from then on.
 * @param made the records of the jobs, where they were made before.
 * @returns why nothing was added; undefined when all were.
 * @throws DomainError `queue-full`.
 */
export function addFlow(
  jobs: readonly NewFlowJob[],
  { maxWaiting, maxWaitingOfGroup }: FlowLimits,
  find: (queue: QueueName) => QueueState | undefined,
  open: (queue: QueueName) => QueueState,
  now: number,
  made: readonly JobRecord[] = jobs.map((job) => madeFlowJob(job, jobs, now)),
): FlowRefusal | undefined {
  const position = jobs.findIndex(({ queue, id }) => find(queue)?.jobs.find(id) !== undefined);
  if (position !== -1) return { kind: 'exists', position };
  for (const [name, starting] of startingJobs(jobs)) {
    const error = errorOfRoom(find(name), starting, maxWaiting(name));
    if (error !== undefined) throw error;
    const full = fullGroup(find(name), starting, maxWaitingOfGroup(name), now);
    if (full !== undefined) return full;
  }
  const children = childrenOf(jobs);
  jobs.forEach(({ queue, isParent }, index) => {
    const ofJob = isParent ? (children.get(index) ?? []) : undefined;
    insertIn(open(queue), made[index] as JobRecord, ofJob);
  });
  return undefined;
}

/** Stores a job of a flow under a free id. @param children those that it waits for, if it does. */
export function insertIn(queue: QueueState, job: JobRecord, children?: readonly Child[]): void {
  queue.change({ isCreated: true, lastId: queue.record.lastId + 1 });
  if (children === undefined) insert(queue, job, job.timestamp);
  else insertParent(queue, job, children);
  queue.wake();
}

interface StartingJob extends Pick<NewFlowJob, 'job'> {
  readonly position: number;
}

/** The jobs of a flow that have no children and so may start at once, by queue, with their positions in the flow. */
export function startingJobs(
  jobs: readonly (Pick<NewFlowJob, 'queue' | 'job'> & { readonly isParent?: boolean })[],
): ReadonlyMap<QueueName, readonly StartingJob[]> {
  const byQueue = new Map<QueueName, StartingJob[]>();
  for (const [position, { queue, job, isParent }] of jobs.entries()) {
    if (isParent === true) continue;
    const ofQueue = byQueue.get(queue) ?? [];
    ofQueue.push({ position, job });
    byQueue.set(queue, ofQueue);
  }
  return byQueue;
}

/** The error `queue-full` of jobs that are too many to wait in their queue; undefined where they have room. */
export function errorOfRoom(
  queue: QueueState | undefined,
  starting: readonly StartingJob[],
  most: number | undefined,
): DomainError | undefined {
  if (most === undefined) return undefined;
  const added = starting.filter(({ job }) => job.opts.delay === 0).length;
  const waiting = queue === undefined ? 0 : waitingJobs(queue);
  return added > 0 && waiting + added > most ? queueFull(most) : undefined;
}

/** The first of the jobs whose group has no room for it. */
export function fullGroup(
  queue: QueueState | undefined,
  starting: readonly StartingJob[],
  maxWaiting: number | undefined,
  now: number,
): FullGroup | undefined {
  const grouped = starting.filter(({ job }) => job.opts.group !== undefined);
  const added = grouped.map(({ job: { opts } }) => ({ group: opts.group, delay: opts.delay }));
  const full = firstWithoutRoom(queue?.groups, added, maxWaiting, now);
  const refused = full && grouped[full.position];
  if (full === undefined || refused === undefined) return undefined;
  return { kind: 'group-full', position: refused.position, waiting: full.waiting };
}

/** The record of a job of a flow. @param jobs all of them. @throws when a value is not JSON. */
export function madeFlowJob(
  { id, job, parent, onFailure, isParent }: NewFlowJob,
  jobs: readonly NewFlowJob[],
  now: number,
): JobRecord {
  const above = parent === undefined ? undefined : jobs[parent];
  // A record keeps its shape: copies of it would have another one.
  return Object.assign(newJobRecord(id, job, now), {
    parent: above && { queue: above.queue, id: above.id, onFailure },
    isParent: isParent ? (true as const) : undefined,
  });
}

/** The children of each job that has some, by its position. */
function childrenOf(jobs: readonly NewFlowJob[]): ReadonlyMap<number, readonly Child[]> {
  const byParent = new Map<number, Child[]>();
  for (const [number, { queue, id, parent, onFailure }] of jobs.entries()) {
    if (parent === undefined) continue;
    const children = byParent.get(parent) ?? [];
    children.push({ queue, id, number, onFailure });
    byParent.set(parent, children);
  }
  return byParent;
}
