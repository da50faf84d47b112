import type { AttemptRecord } from '../../domain/attempts/attempt-record.ts';
import type { Job } from '../../domain/jobs/job.ts';
import type { FlowControl } from '../../domain/messages/push.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { Destinations } from '../destinations/destinations.ts';
import type { PushedMessage } from './pushed-message.ts';

/** A message as it may be shown to callers who may see everything. Times are epoch ms. */
export interface ShownPush {
  readonly id: string;
  /** Undefined for one that was published to no queue. */
  readonly queue: QueueName | undefined;
  readonly url: string;
  readonly method: string;
  /** Undefined, as `data`, for callers who may not see values. */
  readonly headers: Readonly<Record<string, string>> | undefined;
  /** The body, as a text or in base64. */
  readonly data: string | undefined;
  readonly isBase64: boolean;
  readonly retries: number;
  readonly retryDelay: string | undefined;
  readonly flowControl: FlowControl | undefined;
  readonly callback: string | undefined;
  readonly failureCallback: string | undefined;
  readonly label: string | undefined;
  readonly topic: string | undefined;
  readonly endpointName: string | undefined;
  readonly schedule: string | undefined;
  readonly callerIp: string | undefined;
  readonly createdAt: number;
  readonly notBefore: number;
  /** How the last attempt ended, where that was asked for. */
  readonly last?: Pick<AttemptRecord, 'status' | 'response'> | undefined;
}

type MessageFacts = Omit<PushedMessage, 'job' | 'facts'> & {
  readonly job: Pick<Job, 'id' | 'data' | 'timestamp'> & {
    readonly opts: Pick<Job['opts'], 'attempts'> & { readonly delay?: number | undefined };
  };
  readonly queue: QueueName | undefined;
};

/** @param destinations opens the headers, which are kept encrypted. */
export function shownPush(
  { job, push, destination, queue }: MessageFacts,
  destinations: Pick<Destinations, 'opened'>,
): ShownPush {
  const { url, headers, method = 'post' } = destinations.opened(destination);
  const { label, topic, endpointName, schedule, callerIp, retryDelay, isBase64, flowControl } =
    push;
  const { callback, failureCallback, redacted, body } = push;
  return {
    id: job.id,
    queue,
    url,
    method: method.toUpperCase(),
    headers: { ...headers, ...redacted },
    data: typeof job.data === 'string' ? job.data : undefined,
    // What is shown in place of a hidden body is a text.
    isBase64: isBase64 === true && body === undefined,
    retries: Math.max(0, job.opts.attempts - 1),
    ...{ label, topic, endpointName, schedule, callerIp, retryDelay, flowControl },
    callback: callback?.endpoint.url,
    failureCallback: failureCallback?.endpoint.url,
    createdAt: job.timestamp,
    notBefore: job.timestamp + (job.opts.delay ?? 0),
  };
}
