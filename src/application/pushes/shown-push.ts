import type { AttemptRecord } from '../../domain/attempts/attempt-record.ts';
import type { Job } from '../../domain/jobs/job.ts';
import type { PushEvent } from '../../domain/messages/push-log.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { Destinations } from '../destinations/destinations.ts';
import type { PushedMessage } from './pushed-message.ts';

interface MessageFacts extends Pick<PushedMessage, 'push' | 'destination'> {
  readonly job: Pick<Job, 'id' | 'data' | 'timestamp'> & {
    readonly opts: Pick<Job['opts'], 'attempts'> & { readonly delay?: number | undefined };
  };
  /** Undefined for a message that was published to no queue. */
  readonly queue: QueueName | undefined;
}

type WholePush = ReturnType<typeof shownPush>;

/** A message as it may be shown: callers who may not see values see neither headers nor data. Times are epoch ms. */
export type ShownPush = { readonly [Name in keyof WholePush]?: WholePush[Name] | undefined } & {
  /** How the last attempt ended, where that was asked for. */
  readonly last?: Pick<AttemptRecord, 'status' | 'response'> | undefined;
  /** What happened to it, newest first, where that was asked for. */
  readonly events?: readonly PushEvent[];
};

/** A message as callers see it who may see everything. @param destinations opens the headers, which are kept encrypted. */
export function shownPush(
  { job, push, destination, queue }: MessageFacts,
  destinations: Pick<Destinations, 'opened'>,
) {
  const { url, headers, method = 'post' } = destinations.opened(destination);
  const { label, topic, endpointName, schedule, callerIp, retryDelay, flowControl } = push;
  const { isBase64, callback, failureCallback, redacted, body } = push;
  return {
    ...{ id: job.id, queue, url, method: method.toUpperCase() },
    ...{ label, topic, endpointName, schedule, callerIp, retryDelay, flowControl },
    headers: { ...headers, ...redacted },
    /** The body, as a text or in base64. */
    data: typeof job.data === 'string' ? job.data : undefined,
    // What is shown in place of a hidden body is a text.
    isBase64: isBase64 === true && body === undefined,
    retries: Math.max(0, job.opts.attempts - 1),
    callback: callback?.endpoint.url,
    failureCallback: failureCallback?.endpoint.url,
    createdAt: job.timestamp,
    notBefore: job.timestamp + (job.opts.delay ?? 0),
  };
}
