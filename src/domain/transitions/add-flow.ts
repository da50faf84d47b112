import { queueFull } from '../errors.ts';
import type { NewFlowJob } from '../flows/flow.ts';
import type { QueueName } from '../queues/queue-name.ts';
import type { Child } from '../records/child-record.ts';
import { newJobRecord, type JobRecord } from '../records/job-record.ts';
import { waitingJobs } from './add.ts';
import { firstWithoutRoom } from './groups/changing.ts';
import { insert, insertParent } from './places.ts';
import type { QueueState } from './queue-state.ts';

/** Why a flow is not added: a job exists, or its group has no room for it. */
export type FlowRefusal =
  | { readonly kind: 'exists'; readonly position: number }
  | { readonly kind: 'group-full'; readonly position: number; readonly waiting: number };

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
    checkRoom(find(name), starting, maxWaiting(name));
    const full = fullGroup(find(name), starting, maxWaitingOfGroup(name), now);
    if (full !== undefined) return full;
  }
  const children = childrenOf(jobs);
  jobs.forEach(({ queue: name, isParent }, index) => {
    const queue = open(name);
    queue.change({ isCreated: true, lastId: queue.record.lastId + 1 });
    const job = made[index] as JobRecord;
    if (isParent) insertParent(queue, job, children.get(index) ?? []);
    else insert(queue, job, job.timestamp);
    queue.wake();
  });
  return undefined;
}

interface StartingJob extends Pick<NewFlowJob, 'job'> {
  readonly position: number;
}

/** The jobs of a flow that have no children and so may start at once, by queue, with their positions in the flow. */
function startingJobs(jobs: readonly NewFlowJob[]): ReadonlyMap<QueueName, readonly StartingJob[]> {
  const byQueue = new Map<QueueName, StartingJob[]>();
  for (const [position, { queue, job, isParent }] of jobs.entries()) {
    if (isParent) continue;
    const ofQueue = byQueue.get(queue) ?? [];
    ofQueue.push({ position, job });
    byQueue.set(queue, ofQueue);
  }
  return byQueue;
}

/** @throws DomainError `queue-full`. */
function checkRoom(
  queue: QueueState | undefined,
  starting: readonly StartingJob[],
  most: number | undefined,
): void {
  if (most === undefined) return;
  const added = starting.filter(({ job }) => job.opts.delay === 0).length;
  const waiting = queue === undefined ? 0 : waitingJobs(queue);
  if (added > 0 && waiting + added > most) throw queueFull(most);
}

function fullGroup(
  queue: QueueState | undefined,
  starting: readonly StartingJob[],
  maxWaiting: number | undefined,
  now: number,
): FlowRefusal | undefined {
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
