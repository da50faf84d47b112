import type { AttemptRecord } from '../attempts/attempt-record.ts';
import { CANCELLED } from '../jobs/job-cancellation.ts';
import type { Job } from '../jobs/job.ts';

/** The states of a message, as clients of QStash name them. */
export const PUSH_STATES = [
  'CREATED',
  'ACTIVE',
  'DELIVERED',
  'ERROR',
  'RETRY',
  'FAILED',
  'CANCELED',
] as const;

/** What happened to a message. Times are epoch ms. */
export interface PushEvent {
  readonly at: number;
  readonly state: (typeof PUSH_STATES)[number];
  readonly error?: string | undefined;
  readonly nextDeliveryTime?: number | undefined;
  readonly status?: number | undefined;
}

/** Whether a message was cancelled, and did not fail by itself. */
export function isCancelled({ state, failedReason }: Pick<Job, 'state' | 'failedReason'>): boolean {
  return state === 'failed' && failedReason === CANCELLED;
}

/** What happened to a message, newest first. @param attempts the latest of them, oldest first. */
export function pushEvents(job: Job, attempts: readonly AttemptRecord[]): readonly PushEvent[] {
  const { state, timestamp, processedOn, finishedOn = timestamp, failedReason, delay } = job;
  const isEnded = state === 'completed' || state === 'failed';
  const events: PushEvent[] = [{ at: timestamp, state: 'CREATED' }];
  for (const [index, { outcome, startedAt, endedAt, status, reason }] of attempts.entries()) {
    events.push({ at: startedAt, state: 'ACTIVE' });
    if (outcome === 'completed' || outcome === 'cancelled') continue;
    const error = reason ?? outcome;
    events.push({ at: endedAt, state: 'ERROR', error, status: status ?? undefined });
    const isLast = index === attempts.length - 1;
    if (isLast && isEnded) continue;
    const next = isLast ? endedAt + delay : attempts[index + 1]?.startedAt;
    events.push({ at: endedAt, state: 'RETRY', nextDeliveryTime: next });
  }
  if (state === 'active') events.push({ at: processedOn ?? timestamp, state: 'ACTIVE' });
  if (state === 'completed') events.push({ at: finishedOn, state: 'DELIVERED' });
  if (isCancelled(job)) events.push({ at: finishedOn, state: 'CANCELED' });
  else if (state === 'failed') {
    events.push({ at: finishedOn, state: 'FAILED', error: failedReason });
  }
  return events.reverse();
}
