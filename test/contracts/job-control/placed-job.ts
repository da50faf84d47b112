import type { JobStatus } from '../../../src/domain/jobs/job-status.ts';
import type { JobOptionsInput } from '../../../src/domain/jobs/job-options.ts';
import type { QueueName } from '../../../src/domain/queues/queue-name.ts';
import type { QueueReplica } from '../queue-harness.ts';
import { addOne, COMPLETED, FAILED, HOUR, process, take } from '../queue-steps.ts';

/** Adds a job to a queue that holds no other job that could start, and brings it into a state. */
export async function placedJob(
  { queues, attempts }: QueueReplica,
  queue: QueueName,
  state: JobStatus,
  opts: JobOptionsInput = {},
): Promise<string> {
  const { id } = await addOne(queues, queue, { ...PLACES[state], ...opts }, { of: state });
  if (state === 'active') await take(attempts, queue);
  if (state === 'completed') await process(attempts, queue, COMPLETED);
  if (state === 'failed') await process(attempts, queue, FAILED);
  return id;
}

const PLACES: Readonly<Partial<Record<JobStatus, JobOptionsInput>>> = {
  prioritized: { priority: 5 },
  delayed: { delay: HOUR },
};
