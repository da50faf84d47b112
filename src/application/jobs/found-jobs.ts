import { beforeChange } from '../../domain/errors.ts';
import { isReservedJobId } from '../../domain/jobs/job-id.ts';
import type { JobState } from '../../domain/jobs/job-status.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { JobControlPort } from '../ports/job-control-port.ts';
import type { JobScanPort, ScannedField, ScannedJob } from '../ports/job-scan-port.ts';

/** Which jobs are examined, and how many are returned at most. */
export interface JobsToFind {
  /** Undefined for all in the states. */
  readonly ids: readonly string[] | undefined;
  readonly states: readonly JobState[];
  readonly fields: readonly ScannedField[];
  readonly limit: number;
}

export interface FoundJobs<Job> {
  readonly matched: number;
  /** As many jobs as the limit allows, oldest first. */
  readonly jobs: readonly Job[];
}

/**
 * Finds jobs of a queue in short steps. A scan begins with the newest job, so the jobs are taken from the end of its
 * results.
 *
 * @param kept what is remembered of a job; undefined for one that does not match.
 */
export async function findJobs<Job>(
  scan: Pick<JobScanPort, 'scan' | 'look'>,
  queue: QueueName,
  { ids: given, states, fields, limit }: JobsToFind,
  kept: (job: ScannedJob) => Job | undefined,
): Promise<FoundJobs<Job>> {
  let matched = 0;
  let found: Job[] = [];
  const take = (jobs: readonly ScannedJob[]): void => {
    for (const job of jobs) {
      const match = kept(job);
      if (match === undefined) continue;
      matched += 1;
      found.push(match);
    }
  };
  if (given !== undefined) {
    const ids = [...new Set(given)].filter((id) => !isReservedJobId(id));
    for await (const jobs of scan.look(queue, ids, fields)) take(jobs);
    return { matched, jobs: found.slice(0, limit) };
  }
  for await (const jobs of scannedJobs(scan, queue, states, fields)) {
    take(jobs);
    if (found.length > 2 * limit) found = found.slice(-limit);
  }
  return { matched, jobs: found.slice(-limit).reverse() };
}

/** All jobs of the states that a scan finds, in its steps. */
export async function* scannedJobs(
  scan: Pick<JobScanPort, 'scan'>,
  queue: QueueName,
  states: readonly JobState[],
  fields: readonly ScannedField[],
): AsyncGenerator<readonly ScannedJob[]> {
  let cursor: string | null = null;
  do {
    const step = await scan.scan(queue, { states, fields, cursor });
    yield step.jobs.filter((job) => job !== undefined);
    cursor = step.cursorAfter(step.jobs.length);
  } while (cursor !== null);
}

/** Prepares for actions on many jobs, one by one, before anything is changed. */
export async function gatherWaiting(
  control: Pick<JobControlPort, 'bringTogether'>,
  queue: QueueName,
  jobs: readonly Pick<ScannedJob, 'id' | 'state'>[],
): Promise<void> {
  const waiting = jobs.filter(({ state }) => state === 'waiting').map(({ id }) => id);
  if (waiting.length === 0) return;
  await control.bringTogether(queue, waiting).catch((error: unknown) => {
    throw beforeChange(error);
  });
}
