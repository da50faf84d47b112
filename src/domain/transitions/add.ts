import { groupFull, queueFull } from '../errors.ts';
import type { DeduplicationOptions } from '../jobs/deduplication.ts';
import type { JobState } from '../jobs/job-status.ts';
import type { NewJob } from '../jobs/job.ts';
import { newJobRecord, type JobRecord } from '../records/job-record.ts';
import type { Standing } from '../records/deduplication-record.ts';
import { afterAdd, forgetDue, putStanding, standingFor } from './deduplication.ts';
import { withoutRoom, type FullGroup } from './groups/changing.ts';
import { defer, insert } from './places.ts';
import type { QueueState } from './queue-state.ts';
import { withinUnsent } from './unsent.ts';
import { discard } from './removal.ts';

/** How many jobs may wait. */
export interface RoomForAdd {
  /** In the queue. */
  readonly maxWaiting?: number | undefined;
  /** In each group without a limit of its own. */
  readonly maxWaitingOfGroup?: number | undefined;
}

/** A job that a client was told of before the store takes it, with the id and the time (epoch ms) that it was told. */
export interface PromisedJob {
  readonly id: string;
  readonly timestamp: number;
  readonly job: NewJob;
}

/** What decides where a job of an add would wait. */
export type JobToPlace = Pick<JobRecord, 'id' | 'delay' | 'group'>;

/** Jobs that were made before the step that adds them, and the first of the numbers that were reserved for them. */
export interface MadeJobs {
  readonly first: number;
  /** When they were made (epoch ms). */
  readonly at: number;
  readonly records: readonly JobRecord[];
}

/** A job that was added, or one that existed under its id. */
export interface Addition {
  readonly id: string;
  /** Undefined for a job that existed. */
  readonly stored: JobRecord | undefined;
  readonly existed: boolean;
  /** Whether it stands for the deduplication id of the added job. */
  readonly isDeduplicated: boolean;
}

/** The number that the next job without an id of its own gets. */
export function nextId({ record }: QueueState): number {
  return record.lastId + 1;
}

/** Gives these numbers to no other job. @returns the first of them. */
export function reserveNumbers(queue: QueueState, count: number): number {
  const first = nextId(queue);
  if (count > 0) queue.change({ lastId: queue.record.lastId + count });
  return first;
}

/** The record of a job of an add. @param first the number of the first job. @throws when a value is not JSON. */
export function madeJob(job: NewJob, position: number, first: number, now: number): JobRecord {
  return newJobRecord(job.opts.jobId ?? String(first + position), job, now);
}

/**
 * Stores all the jobs or none. A job whose id exists is not stored; the existing job takes its place in the result.
 *
 * @param made the records of the jobs, where they were made before.
 * @throws DomainError `queue-full`, or `group-full` naming the field.
 */
export function addJobs(
  queue: QueueState,
  jobs: readonly NewJob[],
  { maxWaiting, maxWaitingOfGroup }: RoomForAdd,
  now: number,
  made?: MadeJobs,
): readonly Addition[] {
  const first = nextId(queue);
  // Making a job may throw, so all are made before the first is stored.
  const records = made?.records ?? jobs.map((job, index) => madeJob(job, index, first, now));
  if (excessOfJobs(queue, records, jobs, maxWaiting, now) > 0) throw queueFull(maxWaiting ?? 0);
  checkRoomOfGroups(queue, records, maxWaitingOfGroup, now);
  // A job with an id of its own uses up a number too, as in BullMQ.
  if (made === undefined) reserveNumbers(queue, jobs.length);
  return addMade(queue, records, jobs, now);
}

/**
 * Stores jobs that a client was promised: no limit refuses them any more.
 *
 * @returns as `addJobs`.
 */
export function addPromised(
  queue: QueueState,
  promised: readonly PromisedJob[],
  now: number,
): readonly Addition[] {
  const made = promised.map(({ id, job, timestamp }) => newJobRecord(id, job, timestamp));
  const jobs = promised.map(({ job }) => job);
  reserveNumbers(queue, jobs.length);
  return addMade(queue, made, jobs, now);
}

/** Stores jobs that there is room for, as `addJobs` does. */
export function addMade(
  queue: QueueState,
  made: readonly JobRecord[],
  jobs: readonly NewJob[],
  now: number,
): readonly Addition[] {
  if (jobs.length > 0) queue.change({ isCreated: true });
  forgetDue(queue, now);
  const additions = withinUnsent(queue, now, () =>
    made.map((job, index) => addJob(queue, job, jobs[index]?.opts.deduplication, now)),
  );
  queue.wake();
  return additions;
}

function addJob(
  queue: QueueState,
  job: JobRecord,
  deduplication: DeduplicationOptions | undefined,
  now: number,
): Addition {
  const { id } = job;
  if (queue.jobs.find(id) !== undefined) {
    return { id, stored: undefined, existed: true, isDeduplicated: false };
  }
  const other = deduplication && deduplicated(queue, job, deduplication, now);
  if (other !== undefined) {
    return { id: other, stored: undefined, existed: true, isDeduplicated: true };
  }
  // The delay of a promised job counts from the promise.
  const stored = insert(queue, job, job.timestamp);
  return { id, stored, existed: false, isDeduplicated: false };
}

/** @returns the id of the job that stands for the added one; undefined when the added one is to be stored. */
function deduplicated(
  queue: QueueState,
  job: JobRecord,
  options: DeduplicationOptions,
  now: number,
): string | undefined {
  const { jobs, deduplications } = queue;
  const { id } = options;
  const standing = standingFor(queue, id, now);
  const other = standing && jobs.find(standing.jobId);
  const after = afterAdd(job.id, options, standing && { ...standing, status: other?.status }, now);
  if (after.is === 'stored') {
    if (after.replaces && other !== undefined) {
      queue.note('removed', other.id);
      discard(queue, other, now);
    }
    if (standing === undefined) putStanding(queue, id, after.standing);
    else deduplications.put(id, { standing: after.standing });
    return undefined;
  }
  if (after.succeeds) deduplications.put(id, { standing: after.standing, successor: job });
  else if (after.standing !== undefined) putStanding(queue, id, after.standing);
  if (after.reschedules && other !== undefined) defer(queue, jobs.indexed(other), job.delay, now);
  return standing?.jobId;
}

/** @throws DomainError `group-full` naming the field. */
function checkRoomOfGroups(
  queue: QueueState,
  made: readonly JobRecord[],
  maxWaiting: number | undefined,
  now: number,
): void {
  for (const full of jobsWithoutRoom(queue, made, maxWaiting, now)) {
    throw groupFull(`[${full.position}].opts`, full.id, full.waiting);
  }
}

/**
 * The jobs of an add that their groups have no room for. A job whose id exists needs none.
 *
 * @param queue undefined when it does not exist.
 */
export function jobsWithoutRoom(
  queue: QueueState | undefined,
  made: readonly JobToPlace[],
  maxWaiting: number | undefined,
  now: number,
): Iterable<FullGroup> {
  if (made.every(({ group }) => group === undefined)) return [];
  const fresh = made.map((job) => (queue?.jobs.find(job.id) === undefined ? job : undefined));
  return withoutRoom(queue?.groups, fresh, maxWaiting, now);
}

/**
 * How many jobs of an add are too many to wait in the queue; 0 where they have room, or none of them would wait.
 *
 * @param queue undefined when it does not exist.
 */
export function excessOfJobs(
  queue: QueueState | undefined,
  made: readonly JobToPlace[],
  jobs: readonly NewJob[],
  maxWaiting: number | undefined,
  now: number,
): number {
  if (maxWaiting === undefined) return 0;
  const trial = queue && new AddTrial(queue, now);
  const toWait = made.filter((job, index) => {
    const isStored = trial?.wouldStore(job, jobs[index]?.opts.deduplication) ?? true;
    return isStored && job.delay === 0;
  }).length;
  const waiting = queue === undefined ? 0 : waitingJobs(queue);
  return toWait === 0 ? 0 : Math.max(0, waiting + toWait - maxWaiting);
}

export function waitingJobs({ jobs }: QueueState): number {
  return jobs.in.waiting.size + jobs.in.prioritized.size;
}

/** Runs an add without changing anything, to decide which of its jobs would be stored. */
class AddTrial {
  readonly #queue: QueueState;
  readonly #now: number;
  readonly #standing = new Map<string, Standing>();
  /** The states that jobs would have after the jobs so far; undefined for one that would be gone. */
  readonly #states = new Map<string, JobState | undefined>();

  constructor(queue: QueueState, now: number) {
    this.#queue = queue;
    this.#now = now;
  }

  /** Whether the next job of the add would be stored. */
  wouldStore({ id, delay }: JobToPlace, options: DeduplicationOptions | undefined): boolean {
    if (this.#stateOf(id) !== undefined) return false;
    if (options !== undefined && !this.#isLetIn(id, options)) return false;
    this.#states.set(id, delay > 0 ? 'delayed' : 'waiting');
    return true;
  }

  #isLetIn(jobId: string, options: DeduplicationOptions): boolean {
    const { id } = options;
    const standing = this.#standing.get(id) ?? standingFor(this.#queue, id, this.#now);
    const status = standing && this.#stateOf(standing.jobId);
    const after = afterAdd(jobId, options, standing && { ...standing, status }, this.#now);
    if (after.standing !== undefined) this.#standing.set(id, after.standing);
    if (after.is === 'stored' && after.replaces && standing !== undefined) {
      this.#states.set(standing.jobId, undefined);
    }
    return after.is === 'stored';
  }

  #stateOf(jobId: string): JobState | undefined {
    return this.#states.has(jobId) ? this.#states.get(jobId) : this.#queue.jobs.find(jobId)?.status;
  }
}
