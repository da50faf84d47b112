import type {
  JobScanPort,
  ScannedField,
  ScannedJob,
} from '../../../src/application/ports/job-scan-port.ts';
import { newJob } from '../../../src/domain/jobs/job.ts';
import type { JobOptionsInput } from '../../../src/domain/jobs/job-options.ts';
import type { JobState } from '../../../src/domain/jobs/job-status.ts';
import type { QueueName } from '../../../src/domain/queues/queue-name.ts';
import type { QueueReplica } from '../queue-harness.ts';
import { FAILED, processMany } from '../queue-steps.ts';

/** More jobs than one step looks at. */
export const MANY = 600;

/** Adds jobs and returns their ids, in the order of the adds. */
export async function addMany(
  { queues }: QueueReplica,
  queue: QueueName,
  count = MANY,
  opts: JobOptionsInput = {},
): Promise<string[]> {
  const jobs = Array.from({ length: count }, (_, data) => newJob({ name: 'work', data, opts }, ''));
  return (await queues.add(queue, jobs)).map(({ id }) => id);
}

/** Makes failed jobs and returns their ids, the one that failed first before the others. */
export async function failMany(replica: QueueReplica, queue: QueueName): Promise<string[]> {
  await addMany(replica, queue);
  return processMany(replica.attempts, queue, FAILED, MANY);
}

/** Scans to the end, taking at most `most` jobs of each step. @param between is called after each step. */
export async function scanAll(
  scan: JobScanPort,
  queue: QueueName,
  states: readonly JobState[],
  {
    fields = ['timestamp'],
    most = Infinity,
    between = () => Promise.resolve(),
  }: {
    readonly fields?: readonly ScannedField[];
    readonly most?: number;
    readonly between?: (taken: readonly ScannedJob[]) => Promise<unknown>;
  } = {},
): Promise<ScannedJob[]> {
  const found: ScannedJob[] = [];
  let cursor: string | null = null;
  do {
    const step = await scan.scan(queue, { states, fields, cursor });
    const count = Math.min(most, step.jobs.length);
    const taken = step.jobs.slice(0, count).filter((job) => job !== undefined);
    found.push(...taken);
    cursor = step.cursorAfter(count);
    await between(taken);
  } while (cursor !== null);
  return found;
}
