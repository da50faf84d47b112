import type { QueueSummary } from '../../../../application/ports/queue-port.ts';
import { JOB_STATES, type JobState, type StateCounts } from '../../../../domain/jobs/job-status.ts';

/** What scripts return: the counts of the states in their order, and a time as text. */
export type SummaryAnswer = readonly [counts: readonly number[], waitingSince?: string];

/** The counts of the states, which the scripts return in the order of the states. */
export function stateCounts(numbers: readonly number[]): StateCounts {
  const counts: Partial<Record<JobState, number>> = {};
  for (const [index, state] of JOB_STATES.entries()) counts[state] = numbers[index] ?? 0;
  return counts as StateCounts;
}

export function queueSummary([numbers, since]: SummaryAnswer): QueueSummary {
  const counts = stateCounts(numbers);
  return since === undefined ? { counts } : { counts, waitingSince: Number(since) };
}
