import type { JobState } from '../../domain/job-status.ts';
import type { Json } from '../../domain/json.ts';
import type { QueueName } from '../../domain/queue-name.ts';

/** What a scan may tell of a job beside its id and state. */
export type ScannedField =
  'name' | 'data' | 'failedReason' | 'answerStatus' | 'timestamp' | 'finishedOn';

/** A job as a scan tells of it: of its fields those that were asked for and that it has. */
export interface ScannedJob {
  readonly id: string;
  readonly state: JobState;
  readonly name?: string;
  readonly data?: Json;
  readonly failedReason?: string;
  /** That of the last answer, as it is on record of the last attempt. */
  readonly answerStatus?: number;
  /** Epoch ms. */
  readonly timestamp?: number;
  readonly finishedOn?: number;
}

export interface ScanQuery {
  /** In this order. */
  readonly states: readonly JobState[];
  readonly fields: readonly ScannedField[];
  /** Where an earlier step of a scan over the same states ended; null is the beginning. */
  readonly cursor: string | null;
}

export interface ScanStep {
  /**
   * Those that were looked at: as many as take 256 kB with their fields, or one, and some hundreds at most where
   * fields are asked for. One that was removed meanwhile is undefined.
   */
  readonly jobs: readonly (ScannedJob | undefined)[];
  /** Where the scan goes on behind the first `count` of the jobs; null when nothing comes behind them. */
  readonly cursorAfter: (count: number) => string | null;
}

export interface OldestJobs {
  /** How many jobs there are, whatever the limit. */
  readonly total: number;
  readonly jobs: readonly ScannedJob[];
}

/**
 * Looks through the jobs of a queue in short steps, for searches and repairs. Every method throws
 * DomainError `store-unavailable` when the store cannot be reached, within STORE_PATIENCE.
 */
export interface JobScanPort {
  /**
   * The next jobs: those of a state come in the order of a listing, the newest first. A scan keeps nothing in the
   * store. A job that stays in its state, and is not given another priority or delay, from the first step to the
   * last is told exactly once. One that comes into a state, leaves it or changes its place there in between may be
   * left out or told again, and so may others in the one case that all the jobs next to the end of a step leave
   * before the next step.
   *
   * @throws DomainError `invalid-request` for a cursor that is none.
   */
  scan(queue: QueueName, query: ScanQuery): Promise<ScanStep>;

  /** Up to `limit` jobs, 10,000 at most, from the end of such a scan: its last one first, without any fields. */
  oldest(queue: QueueName, states: readonly JobState[], limit: number): Promise<OldestJobs>;

  /** The jobs of these ids, at most 1000, that are there, in pieces that are no longer than the steps of a scan. */
  look(
    queue: QueueName,
    ids: readonly string[],
    fields: readonly ScannedField[],
  ): AsyncIterable<readonly ScannedJob[]>;
}
