import { redactedFields, type IsCleared } from '../records/redaction.ts';
import type { EndedState } from '../jobs/job-status.ts';
import { hasEnded, type JobRecord, type ListedJob } from '../records/job-record.ts';
import type { QueueState } from './queue-state.ts';
import { forgetSteps } from './steps.ts';

const STATES: readonly EndedState[] = ['completed', 'failed'];

/** Up to `most` of the jobs that ended by a time (epoch ms) and have their values, the oldest of each state first. */
export function redactable(queue: QueueState, endedBy: number, most: number): readonly ListedJob[] {
  const found: ListedJob[] = [];
  for (const state of STATES) {
    for (const job of queue.jobs.unredacted(state, most - found.length)) {
      if ((job.finishedOn ?? endedBy) > endedBy) break;
      found.push(job);
    }
  }
  return found;
}

/**
 * Removes the values of a job that ended: from the job, its log, its steps and its parent, which may no longer read what
 * the job returned, and what its own children returned. Kept events are edited apart.
 *
 * @param isCleared which reasons go as a whole; of all others the cause stays.
 * @returns whether it had ended.
 */
export function redact(
  queue: QueueState,
  job: JobRecord,
  now: number,
  isCleared?: IsCleared,
): boolean {
  if (!hasEnded(job)) return false;
  queue.jobs.write(job, redactedFields(job, now, isCleared));
  queue.jobs.clearLog(job);
  forgetSteps(queue, job);
  const children = queue.jobs.childrenOf(job);
  for (const child of children?.known ?? []) children?.redact(child);
  redactAtParent(queue, job);
  return true;
}

/** Removes what a job returned from what its parent knows of it. */
export function redactAtParent(queue: QueueState, { id, parent: link }: ListedJob): void {
  const jobs = link && queue.other(link.queue)?.jobs;
  const parent = link && jobs?.find(link.id);
  if (parent !== undefined) jobs?.childrenOf(parent)?.redact({ queue: queue.name, id });
}
