import type { JobEvent } from '../hooks/hook-events.ts';
import { MOST_RETURNED } from '../hooks/hook-message.ts';
import { summarizedReason, type JobSummary } from '../jobs/job-summary.ts';
import type { QueueName } from '../queues/queue-name.ts';

/**
 * What is known of a job that ended, as the step that ends it writes it into the data of a delivery: the job may be
 * gone before the delivery is made. Times are epoch ms; null means absent.
 */
export interface EndedJob extends Omit<
  JobSummary,
  'state' | 'finishedOn' | 'dueAt' | 'failedReason'
> {
  readonly type: JobEvent;
  readonly at: number;
  readonly queue: QueueName;
  /** The return value as JSON, or the reason; null for a return value that is too large for the message of a hook. */
  readonly value: string | null;
  /** The size of the value, in bytes. */
  readonly size: number;
}

/** The same for the message of a hook: without a return value that is too large for it. */
export function forHook(ended: EndedJob): EndedJob {
  const isLeftOut = ended.type === 'job.completed' && ended.size > MOST_RETURNED;
  return isLeftOut ? { ...ended, value: null } : ended;
}

/** The summary of the job as of its end. */
export function summaryOfEnded(ended: EndedJob): JobSummary {
  const { id, name, timestamp, processedOn, priority, attemptsMade, attempts, progress } = ended;
  const { type, at, value, group, parent, lastStatus, dataSize } = ended;
  const isCompleted = type === 'job.completed';
  return {
    id,
    name,
    state: isCompleted ? 'completed' : 'failed',
    timestamp,
    processedOn,
    finishedOn: at,
    dueAt: null,
    priority,
    attemptsMade,
    attempts,
    progress,
    failedReason: isCompleted ? null : summarizedReason(value ?? ''),
    lastStatus,
    group,
    parent,
    dataSize,
  };
}
