import {
  callbackJob,
  callbackOf,
  deadLetter,
  mayKeepId,
  messageForHook,
  type EndedSource,
  type FollowingJob,
} from '../deliveries/end-messages.ts';
import type { EndedJob } from '../deliveries/ended-job.ts';
import type { JobEvent } from '../hooks/hook-events.ts';
import type { QueueName } from '../queues/queue-name.ts';
import { lastStatusOf } from '../attempts/attempt-record.ts';
import { queueOfHook } from '../queues/own-queue.ts';
import { optionsOf, type JobRecord } from '../records/job-record.ts';
import { sizeInBytes } from '../values/text.ts';
import { addFollowing } from './add-following.ts';
import { addCall } from './callbacks.ts';
import type { QueueState } from './queue-state.ts';
import { addMessage } from './unsent.ts';

/**
 * Adds what follows the end of a job, which is still there: a message for each hook that wants one, and its callback
 * (reach contract, sections 17 and 18).
 *
 * @param deadLetterQueue what gets a copy of the job in place of its callback.
 */
export function sayEnded(
  queue: QueueState,
  job: JobRecord,
  event: JobEvent,
  now: number,
  deadLetterQueue?: QueueName,
): void {
  const hooks = queue.hooks[event] ?? [];
  const hasCallback = deadLetterQueue !== undefined || mayHaveCallback(job);
  if (hooks.length === 0 && !hasCallback) return;
  const ended = endedJob(queue, job, event, now);
  for (const hook of hooks) {
    const { lastId } = queue.opened(queueOfHook(hook)).record;
    addMessage(queue, messageForHook(hook, ended, lastId + 1), now);
  }
  if (hasCallback) callBack(queue, job, ended, now, deadLetterQueue);
}

/** Most jobs have none, and their options need not be read. */
function mayHaveCallback({ opts }: JobRecord): boolean {
  return opts.includes('"callback":');
}

function callBack(
  queue: QueueState,
  job: JobRecord,
  ended: EndedJob,
  now: number,
  deadLetterQueue: QueueName | undefined,
): void {
  const run = (job.calledBack?.run ?? 0) + 1;
  const options = optionsOf(job);
  const source: EndedSource = { ended, data: job.data, options, run };
  const following = followingOf(source, deadLetterQueue);
  if (following === undefined) return;
  queue.jobs.write(job, { calledBack: { run, at: now } });
  // Of all that follows, only a call has an id.
  if (following.id !== undefined) addCall(queue, following, now);
  else if (deadLetterQueue === undefined) addFollowing(queue, following, now);
  else addCopy(queue, following, ended.id, now);
}

function followingOf(
  source: EndedSource,
  deadLetterQueue: QueueName | undefined,
): FollowingJob | undefined {
  if (deadLetterQueue !== undefined) return deadLetter(source, deadLetterQueue);
  const callback = callbackOf(source);
  return callback && callbackJob(source, callback);
}

/** Adds a copy that keeps the id of the job unless that is taken in the target. */
function addCopy(from: QueueState, copy: FollowingJob, id: string, now: number): void {
  const isFree = from.opened(copy.queue).jobs.find(id) === undefined;
  addFollowing(from, isFree && mayKeepId(id) ? { ...copy, id } : copy, now);
}

function endedJob(queue: QueueState, job: JobRecord, type: JobEvent, now: number): EndedJob {
  const value = type === 'job.completed' ? job.returnvalue : (job.failedReason ?? '');
  const progress: unknown = JSON.parse(job.progress);
  const { id, name, timestamp, processedOn = null, priority, attemptsMade, group, parent } = job;
  return {
    type,
    at: now,
    queue: queue.name,
    id,
    name,
    value,
    size: sizeInBytes(value),
    timestamp,
    processedOn,
    priority,
    attemptsMade,
    attempts: optionsOf(job).attempts,
    progress: typeof progress === 'number' ? progress : null,
    group: group?.id ?? null,
    parent: parent === undefined ? null : { queue: parent.queue, id: parent.id },
    lastStatus: lastStatusOf(job.attempts.at(-1), now),
    dataSize: sizeInBytes(job.data),
  };
}
