import type { AttemptPorts } from '../../../application/store-ports.ts';
import type { Attempt } from '../../../domain/attempts/attempt.ts';
import type { QueueName } from '../../../domain/queues/queue-name.ts';
import type { MemoryStore } from '../memory/state/memory-store.ts';
import type { WaitsOf } from './written-port.ts';

/**
 * Claims for webhook calls are not waited for, with four exceptions. A job that stalled before may have ended its
 * process, and is claimed on the disk before its next call. A job whose add is not on the disk yet may be gone after a
 * kill, and its id be that of another job: no endpoint may have seen it. Nor may an endpoint see what children
 * returned before their ends are on the disk, or a saved step before that is: it would be asked for the step again.
 * The ending of a call answers nobody, so the next call waits for it only while the disk lags.
 *
 * @param isStored whether a job that was added is on the disk.
 */
export function attemptWaits(
  store: MemoryStore,
  isStored: (queue: QueueName, jobId: string) => boolean,
): WaitsOf<AttemptPorts> {
  const needsDisk = (queue: QueueName, { jobId, children = [] }: Attempt): boolean => {
    if (children.length > 0 || !isStored(queue, jobId)) return true;
    const job = store.find(queue)?.jobs.find(jobId);
    return job !== undefined && (job.stalledCount > 0 || job.lastStep > 0);
  };
  return {
    claim: (claim, queue, { isPulled }) =>
      claim.kind === 'attempt' && (isPulled === true || needsDisk(queue, claim.attempt)),
    claimBatch: ({ attempts }, queue, { isPulled }) =>
      attempts.length > 0 &&
      (isPulled === true || attempts.some((attempt) => needsDisk(queue, attempt))),
    settle: ({ next }, queue) =>
      (next?.kind === 'attempt' && needsDisk(queue, next.attempt)) || 'lagging',
  };
}
