import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type { JobRecord } from '../../../../domain/records/job-record.ts';

/** Reads what is not in memory of jobs that ended. */
export interface JobDetails {
  /**
   * The jobs in the order of the ids; undefined in place of one that is gone. They
   * are fewer, but at least one, if all of them would take more than about `most` characters.
   *
   * @throws DomainError `store-unavailable` when they cannot be read.
   */
  read(
    queue: QueueName,
    ids: readonly string[],
    most: number,
  ): Promise<readonly (JobRecord | undefined)[]>;

  /** @throws DomainError `store-unavailable` when they cannot be read. */
  logs(queue: QueueName, id: string): Promise<readonly string[]>;
}

/** Of a store that has all jobs in memory. */
export const NO_DETAILS: JobDetails = {
  read: () => Promise.resolve([]),
  logs: () => Promise.resolve([]),
};
