import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { AttemptPort } from '../ports/attempt-port.ts';
import type { Claim } from '../../domain/attempts/claim.ts';
import type { ClockPort } from '../ports/clock-port.ts';

/** A claim that brought no job. */
export type NoJob = Exclude<Claim, { kind: 'attempt' }>;

interface WaitingPorts {
  readonly attempts: AttemptPort;
  readonly clock: ClockPort;
}

/**
 * Resolves when the queue may have a job again after a claim that brought none.
 *
 * @param longest the longest wait, in milliseconds.
 * @param reconsider ends the wait.
 */
export async function waitAfter(
  noJob: NoJob,
  queue: QueueName,
  { attempts, clock }: WaitingPorts,
  longest: number,
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
