import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type { Run } from '../state/job-run.ts';
import type { EventId } from '../../../../domain/events/event-id.ts';
import type { StoredChild } from '../state/children.ts';
import type { StoredEvent } from './event-record.ts';
import type { JobPayload, StoredJob } from '../state/stored-job.ts';

/** The part of a job that is not in memory. */
export interface FoundJob {
  readonly payload: JobPayload;
  /** The log of a job of an earlier version, if it was to be read. */
  readonly olderLog: readonly string[];
  /** When it ended (epoch ms), and what it has from its run, if it has ended. */
  readonly finishedOn: number | undefined;
  readonly run: Partial<Run> | undefined;
}

/** Reads the parts of jobs that are not in memory. */
export interface JobDetails {
  /**
   * That of the jobs, in their order; undefined in place of one that is gone. They are fewer, but at least one, if all of
   * them would take more than about `most` characters.
   *
   * @param withLogs whether to read logs of earlier versions, too.
   * @throws DomainError `store-unavailable` when they cannot be read.
   */
  read(
    queue: QueueName,
    jobs: readonly StoredJob[],
    most: number,
    withLogs?: boolean,
  ): Promise<readonly (FoundJob | undefined)[]>;

  /**
   * The lines of some pieces of the log of a job, in their order; none in place of a piece that is gone. As few as `read`
   * returns.
   *
   * @throws DomainError `store-unavailable` when they cannot be read.
   */
  log(
    queue: QueueName,
    jobId: string,
    numbers: readonly number[],
    most: number,
  ): Promise<readonly (readonly string[])[]>;

  /**
   * The events of some batches of a queue, in their order; none in place of a batch that is gone. As few as `read`
   * returns.
   *
   * @param firsts the ids of the first events.
   * @throws DomainError `store-unavailable` when they cannot be read.
   */
  events(
    queue: QueueName,
    firsts: readonly EventId[],
    most: number,
  ): Promise<readonly (readonly StoredEvent[])[]>;

  /**
   * What the children of a job returned, as JSON, in their order; `null` in place of a child that is gone or has not
   * ended. As few as `read` returns.
   *
   * @throws DomainError `store-unavailable` when they cannot be read.
   */
  returned(
    queue: QueueName,
    parentId: string,
    children: readonly StoredChild[],
    most: number,
  ): Promise<readonly string[]>;
}

/** Of a store that has all jobs in memory. */
export const NO_DETAILS: JobDetails = {
  read: () => Promise.resolve([]),
  log: () => Promise.resolve([]),
  events: () => Promise.resolve([]),
  returned: () => Promise.resolve([]),
};
