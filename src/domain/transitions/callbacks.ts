import {
  heldCall,
  madeCall,
  queueOfCallback,
  type FollowingJob,
} from '../deliveries/end-messages.ts';
import { MADE_FOR_ONE, MOST_CALLBACKS } from '../deliveries/unsent-messages.ts';
import { CALLBACK_QUEUE, queueOfHeld } from '../queues/own-queue.ts';
import type { QueueName } from '../queues/queue-name.ts';
import { addFollowing } from './add-following.ts';
import type { QueueState } from './queue-state.ts';
import { discard } from './removal.ts';

/*
 * The calls that follow the jobs of a queue are bounded (platform contract, section 15 "Fair"). Those beyond are held
 * back: they wait in a queue from which nothing is claimed, and are made in order as others end.
 */

/** Adds the call that follows a job of the queue, or holds it back. */
export function addCall(queue: QueueState, call: FollowingJob, now: number): void {
  makeHeld(queue, now);
  if (hasRoom(queue) && firstHeld(queue) === undefined) make(queue, call, now);
  else addFollowing(queue, heldCall(call, queue.name), now);
}

/** To be called where a job of a queue ends for good or is removed before it does: it may be such a call. */
export function callEnded(calls: QueueState, id: string, now: number): void {
  const queue = queueOfCall(calls, id);
  if (queue === undefined) return;
  count(queue, -1);
  makeHeld(queue, now);
}

/** To be called where a job of a queue that ended waits again. */
export function callStartedOver(calls: QueueState, id: string): void {
  const queue = queueOfCall(calls, id);
  if (queue !== undefined) count(queue, 1);
}

/** A queue that was removed may have left calls that are held back. */
function queueOfCall(calls: QueueState, id: string): QueueState | undefined {
  if (calls.name !== CALLBACK_QUEUE) return undefined;
  const name: QueueName = queueOfCallback(id);
  const isKnown = calls.other(name) ?? calls.other(queueOfHeld(name));
  return isKnown && calls.opened(name);
}

/**
 * Makes calls of a queue that are held back, in order, while there is room. One that is not at hand waits for the next
 * time.
 */
export function makeHeld(queue: QueueState, now: number): void {
  for (let made = 0; made < MADE_FOR_ONE && hasRoom(queue); made += 1) {
    const held = queue.other(queueOfHeld(queue.name));
    const first = held?.jobs.in.waiting.first();
    if (held === undefined || first === undefined || !held.jobs.isAtHand(first)) return;
    const call = madeCall(held.jobs.whole(first));
    discard(held, first, now);
    make(queue, call, now);
  }
}

function make(queue: QueueState, call: FollowingJob, now: number): void {
  addFollowing(queue, call, now);
  count(queue, 1);
}

function hasRoom({ record }: QueueState): boolean {
  return (record.callbacks ?? 0) < MOST_CALLBACKS;
}

function firstHeld(queue: QueueState): unknown {
  return queue.other(queueOfHeld(queue.name))?.jobs.in.waiting.first();
}

/** Calls that an earlier version made were not counted. */
function count(queue: QueueState, change: 1 | -1): void {
  queue.change({ callbacks: Math.max(0, (queue.record.callbacks ?? 0) + change) });
}
