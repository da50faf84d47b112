import type { QueueSummary } from '../../../../application/ports/queue-port.ts';
import { JOB_STATUSES, type JobCounts } from '../../../../domain/jobs/job-status.ts';

/** What scripts return: the counts of the statuses in their order, and a time as text. */
export type SummaryAnswer = readonly [counts: readonly number[], waitingSince?: string];

/** The counts of the statuses, which the scripts answer in their order. */
export function jobCounts(numbers: readonly number[]): JobCounts {
  const counts = JOB_STATUSES.map((status, index) => [status, numbers[index]] as const);
  return Object.fromEntries(counts) as JobCounts;
}

export function queueSummary([numbers, since]: SummaryAnswer): QueueSummary {
  const counts = jobCounts(numbers);
  return since === undefined ? { counts } : { counts, waitingSince: Number(since) };
}
