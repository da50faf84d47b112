import { CLOSED_BREAKER } from '../attempts/breaker.ts';
import { heldAt, heldFor } from '../attempts/gate.ts';
import type { Holder } from '../queues/hold.ts';
import { latestStop, type Stop } from '../values/stop.ts';
import type { QueueState } from './queue-state.ts';

/** Makes the queue exist from now on, even without a job. */
export function createQueue(queue: QueueState): void {
  if (!queue.record.isCreated) queue.change({ isCreated: true });
}

/** Starts no job of the queue until it is resumed. The queue exists from then on. */
export function pauseQueue(queue: QueueState, stop?: Stop): void {
  if (!queue.record.isPaused) queue.note('paused');
  const pause = latestStop(queue.record.pause, stop);
  queue.change({ isCreated: true, isPaused: true, pause });
}

export function resumeQueue(queue: QueueState): void {
  if (queue.record.isPaused) queue.note('resumed');
  queue.change({ isPaused: false, pause: undefined });
  queue.wake();
}

/**
 * Lets no attempt start for `duration` ms; a longer hold stays as it is. The queue exists from then on.
 *
 * @returns when (epoch ms) the hold ends.
 */
export function holdQueue(
  queue: QueueState,
  duration: number,
  by: Holder,
  now: number,
  stop?: Stop,
): number {
  const before = heldAt(queue.record.hold, now);
  const hold = heldFor(before, duration, by, now, stop);
  queue.change({ isCreated: true, hold });
  if (hold.until !== before?.until) queue.note('held', undefined, hold.until);
  return hold.until;
}

export function endHold(queue: QueueState): void {
  queue.change({ hold: undefined });
  queue.wake();
}

export function closeBreaker(queue: QueueState): void {
  queue.change({ breaker: CLOSED_BREAKER });
}

/** Notes that a client asks for jobs. @returns false for a queue that does not exist. */
export function noteClaim(queue: QueueState, now: number): boolean {
  if (!queue.record.isCreated) return false;
  queue.change({ claimedAt: now });
  return true;
}

/** Records that no job is left to process, if that is so. Delayed jobs do not count: they fall due later. */
export function noteIfDrained(queue: QueueState): void {
  const { waiting, prioritized, active } = queue.jobs.in;
  if (waiting.size + prioritized.size + active.size === 0) queue.note('drained');
}
