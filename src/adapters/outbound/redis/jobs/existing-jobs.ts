import { MAX_EXISTING_BYTES, type AddedJob } from '../../../../domain/jobs/job.ts';
import type { JobReader } from './job-reader.ts';
import type { QueueKeys } from '../layout/queue-keys.ts';
import type { AddAnswer } from './add-run.ts';

/** Reads the jobs that an add found under its ids, each once. */
export class ExistingJobs {
  readonly #reader: JobReader;

  constructor(reader: JobReader) {
    this.#reader = reader;
  }

  /**
   * The existing jobs among the answers, by id; only their ids if they are too large together, and for a job that no
   * longer exists.
   *
   * @throws DomainError `store-unavailable`.
   */
  async read(
    keys: QueueKeys,
    answers: readonly AddAnswer[],
  ): Promise<ReadonlyMap<string, AddedJob>> {
    const jobs = new Map<string, AddedJob>();
    let bytes = 0;
    for (const answer of answers) {
      if (typeof answer === 'string') continue;
      const [id, size] = answer;
      jobs.set(id, { id });
      bytes += size;
    }
    if (bytes > MAX_EXISTING_BYTES) return jobs;
    for (const job of await this.#reader.findAll(keys, [...jobs.keys()])) jobs.set(job.id, job);
    return jobs;
  }
}
