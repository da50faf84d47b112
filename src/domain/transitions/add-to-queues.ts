import type { JobAddress } from '../flows/flow.ts';
import type { NewJob } from '../jobs/job.ts';
import type { QueueName } from '../queues/queue-name.ts';
import type { RememberedAdd, RememberedJob } from '../records/remembered-add.ts';
import { newJobRecord, type JobRecord } from '../records/job-record.ts';
import { keptOrMade } from '../values/kept-or-made.ts';
import { addMade, excessOfJobs, jobsWithoutRoom, reserveNumbers } from './add.ts';
import type { QueueState } from './queue-state.ts';

/** A job of an add to several queues, under the id that it gets. */
export interface QueuedJob extends JobAddress {
  readonly job: NewJob;
}

/** What keeps an add to several queues from being stored. */
export interface LackingRoom {
  /** The queues in which so many of the jobs are too many to wait. */
  readonly queues: readonly { readonly queue: QueueName; readonly excess: number }[];
  /** The jobs whose groups are full, and how many of the group wait before each. */
  readonly groups: readonly { readonly position: number; readonly waiting: number }[];
}

/** The jobs that were there, under a given id or as holders of a deduplication id, by the positions that they stand for. */
export type Existing = RememberedAdd['existing'];

/** The limits of queues. */
export interface LimitsOfQueues {
  /** How many jobs may wait in a queue, if it has a limit. */
  readonly maxWaiting: (queue: QueueName) => number | undefined;
  /** The same for groups whose settings have no such limit. */
  readonly maxWaitingOfGroup: (queue: QueueName) => number | undefined;
}

/**
 * What keeps jobs from waiting in their queues; undefined when all have room, or wait for children first.
 *
 * @param find a queue; undefined when there is none of that name.
 */
export function lackingRoom(
  jobs: readonly (QueuedJob & { readonly isParent?: boolean })[],
  { maxWaiting, maxWaitingOfGroup }: LimitsOfQueues,
  find: (queue: QueueName) => QueueState | undefined,
  now: number,
): LackingRoom | undefined {
  const queues: { queue: QueueName; excess: number }[] = [];
  const groups: { position: number; waiting: number }[] = [];
  for (const [queue, positions] of byQueue(jobs)) {
    const starting = positions.filter((at) => jobs[at]?.isParent !== true);
    const given = starting.map((at) => (jobs[at] as QueuedJob).job);
    const placed = starting.map((at) => {
      const { id, job } = jobs[at] as QueuedJob;
      return { id, delay: job.opts.delay, group: job.opts.group };
    });
    const state = find(queue);
    const excess = excessOfJobs(state, placed, given, maxWaiting(queue), now);
    if (excess > 0) queues.push({ queue, excess });
    for (const full of jobsWithoutRoom(state, placed, maxWaitingOfGroup(queue), now)) {
      groups.push({ position: starting[full.position] as number, waiting: full.waiting });
    }
  }
  return queues.length + groups.length > 0 ? { queues, groups } : undefined;
}

/**
 * Adds all jobs or none to their queues, as an add to each of them does: a job whose id exists is not stored.
 *
 * @param open a queue, which exists once it gets a job.
 * @param isDryRun whether nothing is stored.
 * @param made the records of the jobs, where they were made before.
 */
export function addToQueues(
  jobs: readonly QueuedJob[],
  limits: LimitsOfQueues,
  open: (queue: QueueName) => QueueState,
  now: number,
  isDryRun: boolean,
  made: readonly JobRecord[] = jobs.map(({ id, job }) => newJobRecord(id, job, now)),
): LackingRoom | Existing {
  const lacking = lackingRoom(jobs, limits, open, now);
  if (lacking !== undefined) return lacking;
  const existing = new Map<number, RememberedJob>();
  for (const [queue, positions] of isDryRun ? [] : byQueue(jobs)) {
    const state = open(queue);
    reserveNumbers(state, positions.length);
    const records = positions.map((at) => made[at] as JobRecord);
    const given = positions.map((at) => (jobs[at] as QueuedJob).job);
    for (const [index, addition] of addMade(state, records, given, now).entries()) {
      const { id, existed, isDeduplicated } = addition;
      if (existed) existing.set(positions[index] as number, { id, isDeduplicated });
    }
  }
  return existing;
}

/** The positions of the jobs of each queue. */
function byQueue(
  jobs: readonly Pick<QueuedJob, 'queue'>[],
): ReadonlyMap<QueueName, readonly number[]> {
  const positions = new Map<QueueName, number[]>();
  for (const [at, { queue }] of jobs.entries()) keptOrMade(positions, queue, () => []).push(at);
  return positions;
}
