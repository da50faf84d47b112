import type { JobsQuery, QueueSummary } from '../../../../application/ports/queue-port.ts';
import {
  inListingOrder,
  JOB_STATES,
  type EndedState,
  type JobState,
  type StateCounts,
} from '../../../../domain/jobs/job-status.ts';
import { startableAt, type Position } from '../../../../domain/records/job-record.ts';
import { byteOrder } from '../../../../domain/values/byte-order.ts';
import { JobList } from './job-list.ts';
import type { StoredJob } from './stored-job.ts';

/**
 * The order in which the jobs of a queue are removed by their states, and in which those of one state are: as in the
 * Redis store, since it decides which of the parents that wait for them goes first.
 */
const ORDER_OF_REMOVAL = {
  active: 'from the first',
  'waiting-children': 'from the last',
  waiting: 'from the first',
  prioritized: 'from the last',
  delayed: 'from the last',
  completed: 'from the last',
  failed: 'from the last',
} as const satisfies Readonly<Record<JobState, string>>;

/** The jobs of one queue, each in the list of its state. */
export class JobLists {
  readonly of: Readonly<Record<JobState, JobList>>;

  /** As the parameters of a JobList. */
  constructor(...given: ConstructorParameters<typeof JobList>) {
    this.of = ofEachState(() => new JobList(...given));
  }

  count(status: JobState): number {
    return this.of[status].size;
  }

  counts(): StateCounts {
    return ofEachState((state) => this.of[state].size);
  }

  summary(): QueueSummary {
    const waiting = this.longestWaiting().map(startableAt);
    const counts = this.counts();
    return waiting.length === 0 ? { counts } : { counts, waitingSince: Math.min(...waiting) };
  }

  slice({ statuses, start, length }: JobsQuery): readonly StoredJob[] {
    let found: readonly StoredJob[] = [];
    let skip = start;
    for (const status of inListingOrder(statuses)) {
      const list = this.of[status];
      found = found.concat(list.fromLast(skip, length - found.length));
      skip = Math.max(0, skip - list.size);
    }
    return found;
  }

  /** Up to `length` jobs of a status in the order of listings, after a position if there is one. */
  behind(status: JobState, position: Position | undefined, length: number): readonly StoredJob[] {
    return this.of[status].before(position, length);
  }

  /** Up to `length` jobs of a status from the end of such a listing. */
  endOf(status: JobState, length: number): readonly StoredJob[] {
    return this.of[status].fromFirst(length);
  }

  /** The oldest of the jobs that ended this way. Of those that ended in the same millisecond, ids decide, as in Redis. */
  oldest(status: EndedState): StoredJob | undefined {
    const list = this.of[status];
    const endedAt = list.first()?.finishedOn;
    const together = list.fromFirstWhile(({ finishedOn }) => finishedOn === endedAt);
    let oldest = together[0];
    for (const job of together) {
      if (oldest !== undefined && byteOrder(job.id, oldest.id) < 0) oldest = job;
    }
    return oldest;
  }

  /** The jobs that ended this way up to a time (epoch ms), the oldest first. */
  finishedBy(status: EndedState, time: number): readonly StoredJob[] {
    return this.of[status].fromFirstWhile(({ finishedOn = time }) => finishedOn <= time);
  }

  /** The candidates for the job that has waited longest. A job added out of turn may have waited longer than these. */
  longestWaiting(): readonly StoredJob[] {
    const { waiting, prioritized } = this.of;
    const jobs = [
      waiting.first(),
      waiting.last(),
      prioritized.first(),
      prioritized.firstOfLastRank(),
    ];
    return jobs.filter((job) => job !== undefined);
  }

  /** All jobs, or up to `most` of each state, in the order in which they are removed with their queue. */
  inOrderOfRemoval(most?: number): readonly StoredJob[] {
    const states = Object.keys(ORDER_OF_REMOVAL) as JobState[];
    return states.flatMap((state) => this.inOrderOfRemovalIn(state, most));
  }

  /** Up to `most` of those of one state, from the one after a position on, if one is given. */
  inOrderOfRemovalIn(state: JobState, most = Infinity, after?: Position): readonly StoredJob[] {
    const jobs = this.of[state];
    const isFromFirst = ORDER_OF_REMOVAL[state] === 'from the first';
    return isFromFirst ? jobs.behind(after, most) : jobs.before(after, most);
  }
}

function ofEachState<Value>(value: (state: JobState) => Value): Readonly<Record<JobState, Value>> {
  return Object.fromEntries(JOB_STATES.map((state) => [state, value(state)])) as Record<
    JobState,
    Value
  >;
}
