import { MAX_EXISTING_BYTES, type AddedJob } from '../../../../domain/jobs/job.ts';
import { piecesOf } from '../../../../domain/values/pieces.ts';
import { without } from '../../../../domain/values/without.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import type { QueueKeys } from '../layout/queue-keys.ts';
import { measureJobs } from '../scripts/adds.ts';
import type { AddAnswer } from './add-run.ts';
import { JobRows } from './job-rows.ts';

/** The most jobs that one run measures: a few milliseconds of the store's time. */
const MEASURED_PER_RUN = 500;

/**
 * The existing jobs among the answers, by id; only their ids if they are too large together, and for a job that no
 * longer exists.
 *
 * @throws DomainError `store-unavailable`.
 */
export async function existingJobs(
  store: StoreCommands,
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
    if (bytes <= MAX_EXISTING_BYTES) bytes += await store.call(measureJobs, keys, {}, ids);
  }
  if (bytes > MAX_EXISTING_BYTES) return jobs;
  for await (const some of new JobRows(store).jobs(keys, [...jobs.keys()])) {
    for (const job of some) jobs.set(job.id, without(job, 'state'));
  }
  return jobs;
}
