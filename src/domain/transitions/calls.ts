import type { CallOfSeveral } from '../attempts/attempt-record.ts';
import { batchIdOf } from '../attempts/batch.ts';
import type { RunningCalls } from '../records/queue-record.ts';
import type { QueueState } from './queue-state.ts';

/** Remembers a call with several jobs. @param duration for how long, in milliseconds. */
export function noteCall(
  queue: QueueState,
  { id, size }: CallOfSeveral,
  duration: number,
  now: number,
): void {
  const running = [...queue.record.calls].filter(([, { until }]) => until > now);
  queue.change({ calls: new Map(running).set(id, { size, until: now + duration }) });
}

export function forgetCall(queue: QueueState, id: string): void {
  queue.change({ calls: new Map([...queue.record.calls].filter(([each]) => each !== id)) });
}

/** The call of the attempt with this token. */
export function callOfSeveral(calls: RunningCalls, token: string): CallOfSeveral | undefined {
  const id = batchIdOf(token);
  const call = calls.get(id);
  return call && { id, size: call.size };
}
