import { DELIVERY_OPTIONS, KEPT_DELIVERIES } from '../deliveries/delivery-options.ts';
import type { FollowingJob } from '../deliveries/end-messages.ts';
import {
  FEW_UNSENT,
  MOST_FAILED_FOR_ONE,
  MOST_UNSENT,
  TOO_MANY_UNSENT,
} from '../deliveries/unsent-messages.ts';
import { failingIdOf, failingMessage } from '../hooks/failing-hook.ts';
import { messageType } from '../hooks/hook-message.ts';
import { hookOfQueue, queueOfHook } from '../queues/own-queue.ts';
import { addFollowing } from './add-following.ts';
import { enter, leave } from './places.ts';
import type { QueueState } from './queue-state.ts';
import { retain } from './retain.ts';

/* The messages of a hook that wait are bounded where they are added (domain/deliveries/unsent-messages). */

/** Adds a message of a hook. @param from the queue whose step does. */
export function addMessage(from: QueueState, message: FollowingJob, now: number): void {
  withinUnsent(from.opened(message.queue), now, () => {
    addFollowing(from, message, now);
  });
}

/** Has the oldest messages of the queue fail that are too many after an add. Any other queue takes what is added. */
export function withinUnsent<Added>(queue: QueueState, now: number, add: () => Added): Added {
  const hook = hookOfQueue(queue.name);
  if (hook === undefined) return add();
  const before = unsent(queue);
  if (before < FEW_UNSENT && queue.record.isFull === true) queue.change({ isFull: undefined });
  const added = add();
  const most = MOST_FAILED_FOR_ONE * (unsent(queue) - before);
  for (let failed = 0; failed < most && unsent(queue) > MOST_UNSENT; failed += 1) {
    failOldest(queue, hook, now);
  }
  return added;
}

function unsent({ jobs }: QueueState): number {
  const { waiting, delayed, active } = jobs.in;
  return waiting.size + delayed.size + active.size;
}

function failOldest(queue: QueueState, hook: string, now: number): void {
  const { jobs } = queue;
  const oldest = jobs.oldestUnstarted();
  if (oldest === undefined) return;
  jobs.write(oldest, { failedReason: TOO_MANY_UNSENT, finishedOn: now, delay: 0 });
  leave(queue, oldest);
  enter(queue, oldest, 'failed').append(oldest, 0);
  retain(queue, oldest, DELIVERY_OPTIONS, 'failed', KEPT_DELIVERIES, now);
  if (queue.record.isFull === true) return;
  queue.change({ isFull: true });
  tell(queue, hook, oldest.id, now);
}

/** Two hooks that tell each other end where both are full: each is told of once. */
function tell(queue: QueueState, failing: string, delivery: string, now: number): void {
  const message = failingMessage({ at: now, failing, delivery, reason: TOO_MANY_UNSENT });
  for (const hook of queue.hooks.failing?.[failing] ?? []) {
    const [target, id] = [queueOfHook(hook), failingIdOf(hook, delivery)];
    if (queue.opened(target).jobs.find(id) !== undefined) continue;
    const [name, data] = [messageType(message), JSON.stringify({ message })];
    addMessage(queue, { queue: target, id, name, data, opts: DELIVERY_OPTIONS }, now);
  }
}
