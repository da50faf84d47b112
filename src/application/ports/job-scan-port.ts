import type { FilteredJob } from '../../domain/jobs/job-filter.ts';
import type { JobState } from '../../domain/jobs/job-status.ts';
import type { LetterOrigin } from '../../domain/jobs/letter.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { Natures } from './nature.ts';

/** A job as a scan returns it, with the requested fields that it has. */
export interface ScannedJob extends FilteredJob {
  /** Epoch ms. */
  readonly finishedOn?: number;
  readonly redactedOn?: number;
  /** The original of a letter in a dead letter queue. */
  readonly origin?: LetterOrigin;
  /** Whether it has steps. */
  readonly stepped?: true;
}

/** The fields of a job that a scan may return besides its id and state. */
export type ScannedField = Exclude<keyof ScannedJob, 'id' | 'state'>;

export interface ScanQuery {
  /** Scanned in this order. */
  readonly states: readonly JobState[];
  readonly fields: readonly ScannedField[];
  /** The cursor of an earlier step of a scan over the same states; null to start. */
  readonly cursor: string | null;
}

export interface ScanStep {
  /**
   * The scanned jobs: up to 256 kB including their fields, or one job, and a few hundred at most when fields are
   * requested. A job that was removed in the meantime is undefined.
   */
  readonly jobs: readonly (ScannedJob | undefined)[];
  /** The cursor after the first `count` of the jobs; null when nothing follows them. */
  readonly cursorAfter: (count: number) => string | null;
}

export interface OldestJobs {
  /** The number of jobs, regardless of the limit. */
  readonly total: number;
  readonly jobs: readonly ScannedJob[];
}

/**
 * Scans the jobs of a queue in short steps, for searches and repairs. Every method throws
 * DomainError `store-unavailable` when the store cannot be reached, within STORE_PATIENCE.
 */
export interface JobScanPort {
  /**
   * The next jobs: those of a state come in listing order, newest first. A scan keeps nothing in the store. A job that
   * stays in its state, with the same priority and delay, from the first step to the last is returned exactly once. A
   * job that enters a state, leaves it or moves within it in the meantime may be left out or returned twice; so may
   * other jobs, but only if all the jobs next to the end of a step leave before the next step.
   *
   * @throws DomainError `invalid-request` for an invalid cursor.
   */
  scan(queue: QueueName, query: ScanQuery): Promise<ScanStep>;

  /** Up to `limit` jobs, 10,000 at most, from the end of such a scan: the last one first, without any fields. */
  oldest(queue: QueueName, states: readonly JobState[], limit: number): Promise<OldestJobs>;

  /** The existing jobs with these ids, at most 1000, in pieces no larger than the steps of a scan. */
  look(
    queue: QueueName,
    ids: readonly string[],
    fields: readonly ScannedField[],
  ): AsyncIterable<readonly ScannedJob[]>;
}

export const JOB_SCAN_NATURES: Natures<JobScanPort> = {
  scan: 'reads queue',
  oldest: 'reads queue',
  look: 'streams queue',
};
