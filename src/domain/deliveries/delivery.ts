import type { AttemptRecord } from '../attempts/attempt-record.ts';
import type { HookDelivery } from '../hooks/delivery.ts';
import type { JobSummary } from '../jobs/job-summary.ts';

/** A delivery by the job that it is. */
export function deliveryOf(summary: JobSummary, last: AttemptRecord | undefined): HookDelivery {
  const { id, name, timestamp, state, attemptsMade, dueAt, failedReason } = summary;
  return {
    id,
    type: name,
    createdAt: timestamp,
    state: state === 'completed' ? 'delivered' : state === 'failed' ? 'failed' : 'pending',
    attempts: attemptsMade,
    lastStatus: last?.status ?? null,
    reason: state === 'completed' ? null : (last?.reason ?? failedReason),
    nextAt: state === 'delayed' ? dueAt : null,
    durationMs: last === undefined ? null : last.endedAt - last.startedAt,
  };
}
