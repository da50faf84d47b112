import type { StateCounts } from '../../domain/jobs/job-status.ts';
import type { JobSummary } from '../../domain/jobs/job-summary.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { JobsQuery, Pieces } from './queue-port.ts';

/** The values of a job that are read by themselves. */
export type JobValue = 'data' | 'returnvalue';

export interface SummariesSlice {
  readonly counts: StateCounts;
  /** The jobs at the moment of the counts, each as it is when its piece is read. */
  readonly jobs: Pieces<JobSummary>;
}

/**
 * Reads parts of jobs: their summaries without the values of clients, which are not read for it, or one of these values.
 * Methods throw DomainError `store-unavailable` when the store cannot be reached.
 */
export interface JobPartPort {
  /** A slice as `list` of QueuePort, of summaries. */
  list(queue: QueueName, query: JobsQuery): Promise<SummariesSlice>;

  /** The jobs of these ids that are there, in their order, each as it is when its piece is read. */
  summaries(queue: QueueName, ids: readonly string[]): AsyncIterable<readonly JobSummary[]>;

  /** The value as JSON text in UTF-8, as it is stored; undefined when there is no such job. */
  value(queue: QueueName, jobId: string, value: JobValue): Promise<Buffer | undefined>;
}
