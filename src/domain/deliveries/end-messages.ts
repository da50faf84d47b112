import type { JobEvent } from '../hooks/hook-events.ts';
import { callbackAfter, originOf, type Callback } from '../jobs/callback.ts';
import type { JobGroup } from '../groups/job-group.ts';
import type { JobOptions } from '../jobs/job-options.ts';
import { keptOptions } from '../jobs/letter.ts';
import type { JobRecord } from '../records/job-record.ts';
import { CALLBACK_QUEUE, queueOfHeld, queueOfHook } from '../queues/own-queue.ts';
import type { QueueName } from '../queues/queue-name.ts';
import { isObject } from '../values/json.ts';
import { DELIVERY_OPTIONS } from './delivery-options.ts';
import { forHook, type EndedJob } from './ended-job.ts';

/** A job that follows the end of another one. */
export interface FollowingJob {
  readonly queue: QueueName;
  /** Absent for a number of the queue. */
  readonly id?: string;
  readonly name: string;
  /** As JSON. */
  readonly data: string;
  readonly opts: JobOptions;
}

/** The data of a delivery to the URL of a callback. */
export interface CallbackDelivery extends EndedJob {
  /** Which end of the job this is, from 1. */
  readonly run: number;
  readonly callback: { readonly url: string; readonly headers?: Readonly<Record<string, string>> };
}

/** The job that ended, with what a copy of it needs. */
export interface EndedSource {
  readonly ended: EndedJob;
  /** As JSON. */
  readonly data: string;
  readonly options: EndedOptions;
  /** Which end of the job this is, from 1. */
  readonly run: number;
}

/** The options of a job that ended, as any producer may have stored them. */
export interface EndedOptions {
  readonly callback?: unknown;
  readonly group?: JobGroup | undefined;
  /** How it was sent as a message. */
  readonly message?: unknown;
}

/** The id of a delivery to a hook. @param number of those of the hook. */
export function deliveryIdOf(hook: string, at: number, number: number): string {
  return `${hook}.${at}.${number}`;
}

/** The queue of the job that the delivery of this id follows. */
export function queueOfCallback(id: string): QueueName {
  return id.slice(0, id.indexOf(':')) as QueueName;
}

/** The id of the delivery that follows an end of a job. */
export function callbackIdOf(
  { queue, id, at }: Pick<EndedJob, 'queue' | 'id' | 'at'>,
  run: number,
): string {
  return `${queue}:${id}:${run}:${at}`;
}

/** The message of one end of a job for a hook. @param number that the queue of the hook drew for it. */
export function messageForHook(hook: string, ended: EndedJob, number: number): FollowingJob {
  return {
    queue: queueOfHook(hook),
    id: deliveryIdOf(hook, ended.at, number),
    name: ended.type,
    data: JSON.stringify(forHook(ended)),
    opts: DELIVERY_OPTIONS,
  };
}

/** The callback of the job that follows this end; undefined for none. */
export function callbackOf({ ended, options }: EndedSource): Callback | undefined {
  return callbackAfter(options.callback, ended.type === 'job.completed' ? 'completed' : 'failed');
}

/** What follows the end of a job that has a callback. */
export function callbackJob(source: EndedSource, callback: Callback): FollowingJob {
  const { ended, run } = source;
  if ('url' in callback) {
    const { url, headers } = callback;
    const delivery: CallbackDelivery = {
      ...ended,
      run,
      callback: { url, ...(headers && { headers }) },
    };
    return callOf(callbackIdOf(ended, run), ended.type, JSON.stringify(delivery), url);
  }
  const { name, as = 'event' } = callback;
  const queue = callback.queue as QueueName;
  const opts = { attempts: 0, delay: 0 };
  if (as === 'event') {
    return { queue, name: name ?? eventType(ended.type), data: eventBody(ended, run), opts };
  }
  return copyOf(source, queue, opts);
}

function callOf(id: string, name: string, data: string, url: string): FollowingJob {
  // The deliveries to one origin never hold up those to another one.
  const opts = { ...DELIVERY_OPTIONS, group: { id: originOf(url) } };
  return { queue: CALLBACK_QUEUE, id, name, data, opts };
}

/** A delivery that was held back, as it is made. */
export function madeCall({
  id,
  name,
  data,
}: Pick<JobRecord, 'id' | 'name' | 'data'>): FollowingJob {
  const { callback } = JSON.parse(data) as CallbackDelivery;
  return callOf(id, name, data, callback.url);
}

/** The same delivery, as it is held back: in no group, since it keeps its place among those of its queue. */
export function heldCall(call: FollowingJob, from: QueueName): FollowingJob {
  return { ...call, queue: queueOfHeld(from), opts: DELIVERY_OPTIONS };
}

/** The copy of a message that its dead letter queue gets: of its group, and with how it was sent. */
export function deadLetter(source: EndedSource, queue: QueueName): FollowingJob {
  const { group, message } = source.options;
  return copyOf(source, queue, {
    attempts: 0,
    delay: 0,
    ...(group && { group }),
    ...(isObject(message) && { message }),
  });
}

/** Whether a copy of a job in another queue may have its id: a number is that of another job there. */
export function mayKeepId(id: string): boolean {
  return !/^-?\d+$/.test(id);
}

function copyOf(
  { ended, data, options }: EndedSource,
  queue: QueueName,
  opts: JobOptions,
): FollowingJob {
  const { queue: from, id, name, type, value } = ended;
  const origin = {
    queue: from,
    id,
    ...(type !== 'job.completed' && value !== null && { failedReason: value }),
    opts: keptOptions(options),
  };
  return { queue, name, data, opts: { ...opts, origin } };
}

/** For a callback there are only two ends. */
export function eventType(event: JobEvent): 'job.completed' | 'job.failed' {
  return event === 'job.completed' ? 'job.completed' : 'job.failed';
}

/** The body of a callback, as JSON (reach contract, section 18). */
export function eventBody(ended: EndedJob, run: number): string {
  const { queue, id, name, value, attemptsMade, at } = ended;
  const type = eventType(ended.type);
  const outcome =
    type === 'job.completed'
      ? `"returnvalue":${value ?? 'null'}`
      : `"failedReason":${JSON.stringify(value ?? '')}`;
  const named = JSON.stringify({ queue, id, name }).slice(0, -1);
  const timestamp = new Date(at).toISOString();
  return `{"type":"${type}","timestamp":"${timestamp}","data":${named},${outcome},"attemptsMade":${attemptsMade},"run":${run}}}`;
}
