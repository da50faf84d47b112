import type { Claim } from '../../domain/attempts/claim.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { CommonPorts } from '../ports/common-ports.ts';
/** A claim that returned no job. */
export type NoJob = Exclude<Claim, { kind: 'attempt' }>;

/** A wait for jobs of a queue. */
export interface JobWait extends Pick<CommonPorts, 'attempts' | 'clock'> {
  readonly queue: QueueName;
  /** The longest wait, in milliseconds. */
  readonly longest: number;
}

/**
 * Resolves when the queue may have a job again after a claim that returned none.
 *
 * @param reconsider ends the wait.
 */
export async function waitAfter(
  noJob: NoJob,
  { attempts, clock, queue, longest }: JobWait,
  reconsider: AbortSignal,
): Promise<void> {
  const now = clock.now();
  const latest = now + longest;
  if (noJob.kind === 'limited') {
    await clock.sleep(Math.min(noJob.until, latest) - now, reconsider);
  } else {
    await attempts.waitForJobs(queue, Math.min(noJob.nextAt ?? latest, latest), reconsider);
  }
}
