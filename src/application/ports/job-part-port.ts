import type { JobSummary } from '../../domain/jobs/job-summary.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { JobsQuery, JobsSlice } from './queue-port.ts';
import type { Natures } from './nature.ts';

/** The values of a job that can be read separately. */
export type JobValue = 'data' | 'returnvalue';

/**
 * Reads parts of jobs: their summaries, without reading the clients' values, or one of these values. Methods throw
 * DomainError `store-unavailable` when the store cannot be reached.
 */
export interface JobPartPort {
  /** A slice like `list` of QueuePort, but of summaries. */
  list(queue: QueueName, query: JobsQuery): Promise<JobsSlice<JobSummary>>;

  /** The existing jobs with these ids, in the given order, each as of the time when its piece is read. */
  summaries(queue: QueueName, ids: readonly string[]): AsyncIterable<readonly JobSummary[]>;

  /** The value as JSON text in UTF-8, as stored; undefined when the job does not exist. */
  value(queue: QueueName, jobId: string, value: JobValue): Promise<Buffer | undefined>;
}

export const JOB_PART_NATURES: Natures<JobPartPort> = {
  list: 'reads queue',
  summaries: 'streams queue',
  value: 'reads job',
};
