import type { JobAddress } from '../flows/flow.ts';
import type { NewJob } from '../jobs/job.ts';
import type { QueueName } from '../queues/queue-name.ts';
import { newJobRecord, type JobRecord } from '../records/job-record.ts';
import { keptOrMade } from '../values/kept-or-made.ts';
import { addMade, excessOfJobs, jobsWithoutRoom, reserveNumbers } from './add.ts';
import type { FlowLimits } from './add-flow.ts';
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
export type Existing = ReadonlyMap<
  number,
  { readonly id: string; readonly isDeduplicated: boolean }
>;

/**
 * Adds all jobs or none to their queues, as an add to each of them does: a job whose id exists is not stored.
 *
 * @param open a queue, which exists once it gets a job.
 * @param isDryRun whether nothing is stored.
 * @param made the records of the jobs, where they were made before.
 */
export function addToQueues(
  jobs: readonly QueuedJob[],
  { maxWaiting, maxWaitingOfGroup }: FlowLimits,
  open: (queue: QueueName) => QueueState,
  now: number,
  isDryRun: boolean,
  made: readonly JobRecord[] = jobs.map(({ id, job }) => newJobRecord(id, job, now)),
): LackingRoom | Existing {
  const positions = new Map<QueueName, number[]>();
  for (const [at, { queue }] of jobs.entries()) keptOrMade(positions, queue, () => []).push(at);
  const adds = Array.from(positions, ([queue, some]) => ({
    state: open(queue),
    queue,
    some,
    records: some.map((at) => made[at] as JobRecord),
    given: some.map((at) => (jobs[at] as QueuedJob).job),
  }));
  const queues = adds.flatMap(({ state, queue, records, given }) => {
    const excess = excessOfJobs(state, records, given, maxWaiting(queue), now);
    return excess > 0 ? [{ queue, excess }] : [];
  });
  const groups = adds.flatMap(({ state, queue, some, records }) =>
    Array.from(jobsWithoutRoom(state, records, maxWaitingOfGroup(queue), now), (full) => ({
      position: some[full.position] as number,
      waiting: full.waiting,
    })),
  );
  if (queues.length + groups.length > 0) return { queues, groups };
  const existing = new Map<number, { id: string; isDeduplicated: boolean }>();
  for (const { state, some, records, given } of isDryRun ? [] : adds) {
    reserveNumbers(state, some.length);
    for (const [index, addition] of addMade(state, records, given, now).entries()) {
      const { id, existed, isDeduplicated } = addition;
      if (existed) existing.set(some[index] as number, { id, isDeduplicated });
    }
  }
  return existing;
}
