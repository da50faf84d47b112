import { queueFull } from '../errors.ts';
import type { NewFlowJob } from '../flows/flow.ts';
import type { QueueName } from '../queues/queue-name.ts';
import type { Child } from '../records/child-record.ts';
import { newJobRecord, type JobRecord } from '../records/job-record.ts';
import { keptOrMade } from '../values/kept-or-made.ts';
import { reserveNumbers } from './add.ts';
import { lackingRoom, type LackingRoom, type LimitsOfQueues } from './add-to-queues.ts';
import { insert, insertParent } from './places.ts';
import type { QueueState } from './queue-state.ts';

/** Why a flow is not added, which then changes nothing. */
export type FlowRefusal =
  /** The job at that position has an id that exists. */
  | { readonly kind: 'exists'; readonly position: number }
  | ({ readonly kind: 'group-full' } & LackingRoom['groups'][number]);

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
  limits: LimitsOfQueues,
  find: (queue: QueueName) => QueueState | undefined,
  open: (queue: QueueName) => QueueState,
  now: number,
  made: readonly JobRecord[] = jobs.map((job) => madeFlowJob(job, jobs, now)),
): FlowRefusal | undefined {
  const position = jobs.findIndex(({ queue, id }) => find(queue)?.jobs.find(id) !== undefined);
  if (position !== -1) return { kind: 'exists', position };
  const lacking = lackingRoom(jobs, limits, find, now);
  if (lacking !== undefined) return flowWithoutRoom(lacking, limits);
  const children = childrenOf(jobs);
  insertIn(
    jobs.map(({ queue, isParent }, index) => {
      const ofJob = isParent ? (children.get(index) ?? []) : undefined;
      return [open(queue), made[index] as JobRecord, ofJob];
    }),
  );
  return undefined;
}

/** Why a flow is not added that lacks room. @throws DomainError `queue-full`. */
export function flowWithoutRoom(
  { queues: [full], groups: [group] }: LackingRoom,
  { maxWaiting }: Pick<LimitsOfQueues, 'maxWaiting'>,
): FlowRefusal {
  if (full !== undefined) throw queueFull(maxWaiting(full.queue) ?? 0);
  return { kind: 'group-full', position: 0, waiting: 0, ...group };
}

/** Stores jobs under free ids, queue by queue, each with the children that it waits for, if it does. */
export function insertIn(
  jobs: readonly (readonly [
    queue: QueueState,
    job: JobRecord,
    children?: readonly Child[] | undefined,
  ])[],
): void {
  const byQueue = new Map<QueueState, (readonly [JobRecord, (readonly Child[] | undefined)?])[]>();
  for (const [queue, ...job] of jobs) keptOrMade(byQueue, queue, () => []).push(job);
  for (const [queue, ofQueue] of byQueue) {
    queue.change({ isCreated: true });
    reserveNumbers(queue, ofQueue.length);
    for (const [job, children] of ofQueue) {
      if (children === undefined) insert(queue, job, job.timestamp);
      else insertParent(queue, job, children);
    }
    queue.wake();
  }
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
    keptOrMade(byParent, parent, () => []).push({ queue, id, number, onFailure });
  }
  return byParent;
}
