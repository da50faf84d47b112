import { MAX_EXISTING_BYTES, type AddedJob } from '../../../../domain/jobs/job.ts';
import { without } from '../../../../domain/values/without.ts';
import { piecesOf } from '../../../../domain/values/pieces.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import { measureJobs } from '../scripts/adds.ts';
import type { JobReader } from './job-reader.ts';
import type { QueueKeys } from '../layout/queue-keys.ts';
import type { AddAnswer } from './add-run.ts';

/** The most jobs that one run measures: a few milliseconds of the store's time. */
const MEASURED_PER_RUN = 500;

/** Reads the jobs that an add found under its ids, each once. */
export class ExistingJobs {
  readonly #commands: StoreCommands;
  readonly #reader: JobReader;

  constructor(commands: StoreCommands, reader: JobReader) {
    this.#commands = commands;
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
    const unmeasured: string[] = [];
    let bytes = 0;
    for (const answer of answers) {
      if (typeof answer === 'string') continue;
      const [id, , size] = answer;
      jobs.set(id, { id });
      if (size === undefined) unmeasured.push(id);
      else bytes += size;
    }
    for (const ids of piecesOf(unmeasured, MEASURED_PER_RUN)) {
      if (bytes <= MAX_EXISTING_BYTES)
        bytes += await this.#commands.call(measureJobs, keys, {}, ids);
    }
    if (bytes > MAX_EXISTING_BYTES) return jobs;
    for await (const some of this.#reader.each(keys, [...jobs.keys()])) {
      for (const job of some) jobs.set(job.id, without(job, 'state'));
    }
    return jobs;
  }
}
