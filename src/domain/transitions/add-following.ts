import type { FollowingJob } from '../deliveries/end-messages.ts';
import { newJobRecord } from '../records/job-record.ts';
import { JsonText } from '../values/json.ts';
import { insert } from './places.ts';
import { createQueue } from './queue-control.ts';
import type { QueueState } from './queue-state.ts';

/** Adds a job that follows the end of another one. @param from the queue of that one. */
export function addFollowing(
  from: QueueState,
  { queue, id, name, data, opts }: FollowingJob,
  now: number,
): void {
  const target = from.opened(queue);
  createQueue(target);
  const lastId = target.record.lastId + 1;
  target.change({ lastId });
  const record = newJobRecord(id ?? String(lastId), { name, data: new JsonText(data), opts }, now);
  insert(target, record, now);
  target.wake();
}
