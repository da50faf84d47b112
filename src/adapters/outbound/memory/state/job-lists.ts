import type { JobsQuery } from '../../../../application/ports/queue-port.ts';
import {
  inListingOrder,
  type JobState,
  type JobStatus,
  type StateCounts,
} from '../../../../domain/jobs/job-status.ts';
import { byteOrder } from '../../../shared/byte-order.ts';
import { JobList, type ListPosition } from './job-list.ts';
import type { ListedJob } from './listed-job.ts';
import type { StoredJob } from './stored-job.ts';

/** The finished statuses, whose jobs only a retention rule removes. */
export type FinishedStatus = Extract<JobStatus, 'completed' | 'failed'>;

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

/** Of jobs that ended, only a part may be in memory. */
type ListsOfStates = Readonly<
  Record<Exclude<JobState, FinishedStatus>, JobList> & Record<FinishedStatus, JobList<ListedJob>>
>;

/** The jobs of one queue, each in the list of its state. */
export class JobLists {
  readonly of: ListsOfStates = {
    active: new JobList(),
    waiting: new JobList(),
    prioritized: new JobList(),
    delayed: new JobList(),
    completed: new JobList<ListedJob>(),
    failed: new JobList<ListedJob>(),
    'waiting-children': new JobList(),
  };

  count(status: JobState): number {
    return this.of[status].size;
  }

  counts(): StateCounts {
    const { active, waiting, prioritized, delayed, completed, failed, ...others } = this.of;
    return {
      active: active.size,
      waiting: waiting.size,
      prioritized: prioritized.size,
      delayed: delayed.size,
      completed: completed.size,
      failed: failed.size,
      'waiting-children': others['waiting-children'].size,
    };
  }

  slice({ statuses, start, length }: JobsQuery): readonly ListedJob[] {
    let found: readonly ListedJob[] = [];
    let skip = start;
    for (const status of inListingOrder(statuses)) {
      const list = this.of[status];
      found = found.concat(list.fromLast(skip, length - found.length));
      skip = Math.max(0, skip - list.size);
    }
    return found;
  }

  /** Up to `length` jobs of a status in the order of listings, after a position if there is one. */
  behind(
    status: JobState,
    position: ListPosition | undefined,
    length: number,
  ): readonly ListedJob[] {
    return this.of[status].before(position, length);
  }

  /** Up to `length` jobs of a status from the end of such a listing. */
  endOf(status: JobState, length: number): readonly ListedJob[] {
    return this.of[status].fromFirst(length);
  }

  /** Active jobs, the latest started first. */
  active(): readonly StoredJob[] {
    return this.of.active.fromLast();
  }

  /** The active job that started last. */
  latestActive(): StoredJob | undefined {
    return this.of.active.last();
  }

  /** The oldest of the jobs that ended this way. Of those that ended in the same millisecond, ids decide, as in Redis. */
  oldest(status: FinishedStatus): ListedJob | undefined {
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
  finishedBy(status: FinishedStatus, time: number): readonly ListedJob[] {
    return this.of[status].fromFirstWhile(({ finishedOn = time }) => finishedOn <= time);
  }

  /** The due time (epoch ms) of the first delayed job; it may be past. */
  nextDueAt(): number | undefined {
    return this.of.delayed.first()?.position?.rank;
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

  /** All jobs, in the order in which they are removed with their queue. */
  get inOrderOfRemoval(): readonly ListedJob[] {
    const states = Object.keys(ORDER_OF_REMOVAL) as JobState[];
    return states.flatMap((state) => this.inOrderOfRemovalIn(state));
  }

  inOrderOfRemovalIn(state: JobState): readonly ListedJob[] {
    const jobs = this.of[state];
    const isFromFirst = ORDER_OF_REMOVAL[state] === 'from the first';
    return isFromFirst ? jobs.fromFirst(Infinity) : jobs.fromLast();
  }
}
