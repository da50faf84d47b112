import {
  MAX_EXISTING_BYTES,
  type AddedJob,
  type JobFacts,
  type NewJob,
} from '../../../../domain/jobs/job.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type { JobRecord } from '../../../../domain/records/job-record.ts';
import type { Addition } from '../../../../domain/transitions/add.ts';
import { jobFacts } from '../../../../domain/transitions/shown-job.ts';
import { JsonText, type Json } from '../../../../domain/values/json.ts';
import { shownBytes } from '../state/stored-job.ts';
import type { StoredQueue } from '../state/stored-queue.ts';
import { JobReading } from './job-reading.ts';

/** The jobs of an add as its answer shows them; to wait for where a job that existed is on a disk. */
export type ShownJobs = readonly AddedJob[] | Promise<readonly AddedJob[]>;

/**
 * The jobs of an add as the answer to it shows them. Jobs that existed are shown as they are now: a later job of the
 * same add may have replaced one.
 */
export function addedJobs(
  queue: StoredQueue,
  given: readonly NewJob[],
  additions: readonly Addition[],
): ShownJobs {
  const { name, jobs } = queue;
  const added = additions.map(({ stored }, index) =>
    stored === undefined ? undefined : addedJob(stored, given[index] as NewJob, name),
  );
  const existing = additions.flatMap(({ id, existed }) => (existed ? [id] : []));
  const answer = (found: readonly JobRecord[]): readonly AddedJob[] => {
    const shown = existingJobs(existing, found, name);
    return additions.map(({ id, isDeduplicated }, index) => {
      const known = shown.get(id) ?? { id };
      return (
        added[index] ??
        (isDeduplicated ? { ...known, deduplicated: true } : { ...known, existed: true })
      );
    });
  };
  const found = [...new Set(existing)].flatMap((id) => jobs.find(id) ?? []);
  if (found.every(({ isWhole }) => isWhole)) return answer(found);
  const ids = found.map(({ id }) => id);
  return readExisting(new JobReading(queue), ids).then(answer);
}

/** @returns none of them once they are more than an answer shows. */
async function readExisting(
  reading: JobReading,
  ids: readonly string[],
): Promise<readonly JobRecord[]> {
  const found: JobRecord[] = [];
  let bytes = 0;
  for await (const piece of reading.pieces(ids)) {
    found.push(...piece);
    bytes += bytesOf(piece);
    if (bytes > MAX_EXISTING_BYTES) return [];
  }
  return found;
}

/** The jobs that existed by their ids; none of them when they are too large for an answer. */
function existingJobs(
  ids: readonly string[],
  found: readonly JobRecord[],
  queue: QueueName,
): ReadonlyMap<string, AddedJob> {
  const byId = new Map(found.map((job) => [job.id, job]));
  const bytes = bytesOf(ids.flatMap((id) => byId.get(id) ?? []));
  if (bytes > MAX_EXISTING_BYTES) return new Map();
  return new Map(found.map((job) => [job.id, existingJob(job, queue)]));
}

function bytesOf(jobs: readonly JobRecord[]): number {
  return jobs.reduce((sum, job) => sum + shownBytes(job), 0);
}

/** A job that was just added; data given as text is not parsed. */
function addedJob(stored: JobRecord, { data }: NewJob, queue: QueueName): AddedJob {
  return data instanceof JsonText ? jobFacts(data, stored, queue) : existingJob(stored, queue);
}

function existingJob(stored: JobRecord, queue: QueueName): JobFacts {
  return jobFacts(JSON.parse(stored.data) as Json, stored, queue);
}
