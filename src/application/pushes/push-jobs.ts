import { checkShape } from '../../domain/values/check-shape.ts';
import { callTimeoutShape } from '../../domain/calls/call-timeout.ts';
import { destinationShape, type Destination } from '../../domain/calls/destination.ts';
import { groupIdShape } from '../../domain/groups/group-id.ts';
import { QUEUE_GROUP } from '../../domain/messages/flow-limit.ts';
import { deduplicationShape } from '../../domain/jobs/deduplication.ts';
import type { JobInput } from '../../domain/jobs/job.ts';
import { PUSH_QUEUE, pushId } from '../../domain/messages/push-id.ts';
import {
  PUSH_NAME,
  pushOptions,
  type FollowingPush,
  type Push,
  type PushContent,
  type PushDestination,
} from '../../domain/messages/push.ts';
import { retryDelayShape } from '../../domain/messages/retry-delay.ts';
import type { GroupEndpoint } from '../../domain/messages/url-group.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import { integer } from '../../domain/values/shape.ts';
import { withFields } from '../../domain/values/with-fields.ts';
import type { Destinations } from '../destinations/destinations.ts';
import type { PushFormatPort } from '../ports/push-format-port.ts';
import type { OrderedCall, OrderedCallback, OutgoingPush } from './outgoing-push.ts';

/** How long (ms) a message stands for its deduplication id, even if it ends before. */
const DEDUPLICATED_FOR = 600_000;

/** The longest time (ms) that a message may be put off: a year. */
const LONGEST_DELAY = 31_536_000_000;

const timeShape = integer(0, LONGEST_DELAY);
const retriesShape = integer(0, 10_000);

/** A message as a job. The mark is the option that no client can set. */
export interface PushJob {
  readonly queue: QueueName;
  readonly input: JobInput & { readonly opts: { readonly jobId: string } };
  readonly mark: { readonly endpoint: PushDestination };
}

/** Makes jobs of messages (further contract, section 24). */
export class PushJobs {
  readonly #destinations: Pick<Destinations, 'prepared' | 'sealedText'>;
  readonly #formats: Pick<PushFormatPort, 'digest'>;

  constructor(
    destinations: Pick<Destinations, 'prepared' | 'sealedText'>,
    formats: Pick<PushFormatPort, 'digest'>,
  ) {
    this.#destinations = destinations;
    this.#formats = formats;
  }

  /**
   * The job of a message for one endpoint.
   *
   * @param id of the message, without its queue.
   * @param data its body, which the jobs of other endpoints may share.
   * @throws DomainError `invalid-request` naming the header.
   */
  of(
    message: OutgoingPush,
    { url, name }: GroupEndpoint,
    id: string,
    data: JobInput['data'] = message.content.data,
  ): PushJob {
    const { queue, to, call, content, callback, failureCallback, flowControl, redact } = message;
    const { label, schedule, callerIp } = message;
    const endpoint = this.#called(queue, url, call, 'Upstash');
    const isHidden = redact?.body === true;
    const push: Push = {
      isBase64: content.isBase64,
      body: isHidden ? this.#destinations.sealedText(url, content.data) : undefined,
      redacted: redact && this.#redacted(call.headers, redact.headers),
      retryDelay: call.retryDelay,
      label,
      flowControl,
      callback: callback && this.#callback(callback, 'Upstash-Callback'),
      failureCallback:
        failureCallback && this.#callback(failureCallback, 'Upstash-Failure-Callback'),
      topic: 'topic' in to ? to.topic : undefined,
      endpointName: name,
      schedule,
      callerIp,
    };
    const group = this.groupOf(message);
    const deduplication = this.#deduplicated(message, url);
    return {
      queue,
      input: {
        name: PUSH_NAME,
        data: isHidden ? this.#redactedText(content) : data,
        opts: {
          ...(group !== undefined && { group: { id: group } }),
          ...(deduplication !== undefined && {
            deduplication: { id: deduplication, ttl: DEDUPLICATED_FOR },
          }),
          ...pushOptions(pushId(id, queue), call),
        },
      },
      mark: { endpoint: withFields(endpoint, { push }) },
    };
  }

  /** The id of the one message for a URL that follows from a text. */
  idOf(once: string, url: string): string {
    return this.#digestOf([once, url]).replace(
      /^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/,
      '$1-$2-$3-$4-$5',
    );
  }

  /** The group whose limits are those of the key of a message, or which keeps the messages of a queue in order. */
  groupOf({ flowControl, queue }: Pick<OutgoingPush, 'flowControl' | 'queue'>): string | undefined {
    if (flowControl === undefined) return queue === PUSH_QUEUE ? undefined : QUEUE_GROUP;
    return this.groupOfKey(flowControl.key);
  }

  groupOfKey(key: string): string {
    return groupIdShape.accepts(key) && key !== QUEUE_GROUP
      ? key
      : this.#formats.digest({ data: key });
  }

  #callback({ url, ...call }: OrderedCallback, header: string): FollowingPush {
    const { retries, retryDelay, timeout, delay } = call;
    const endpoint = this.#called(PUSH_QUEUE, url, call, header);
    return { endpoint, retries, retryDelay, timeout, delay };
  }

  /** What is called, with its headers encrypted. @param header names its part of the headers in errors. */
  #called(
    queue: QueueName,
    url: string,
    { method, headers, retries, retryDelay, timeout, delay }: OrderedCall,
    header: string,
  ): Destination {
    const endpoint: Destination = { url, headers, ...(method !== undefined && { method }) };
    checkShape(destinationShape, endpoint, header === 'Upstash' ? 'destination' : header);
    checkShape(retriesShape, retries, `${header}-Retries`);
    if (retryDelay !== undefined) checkShape(retryDelayShape, retryDelay, `${header}-Retry-Delay`);
    if (timeout !== undefined) checkShape(callTimeoutShape, timeout, `${header}-Timeout`);
    if (delay !== undefined) checkShape(timeShape, delay, `${header}-Delay`);
    return this.#destinations.prepared(queue, { endpoint }, '').endpoint;
  }

  #redacted(
    headers: Readonly<Record<string, string>>,
    hidden: readonly string[] | 'all',
  ): Readonly<Record<string, string>> {
    const names = Object.keys(headers).filter((name) => hidden === 'all' || hidden.includes(name));
    return Object.fromEntries(
      names.map((name) => [name, this.#redactedText({ data: headers[name] ?? '' })]),
    );
  }

  #redactedText(content: PushContent): string {
    return `REDACTED:${this.#formats.digest(content)}`;
  }

  /** The id that the message stands for: in a URL group one for each of its endpoints. */
  #deduplicated({ deduplication, to, call, content }: OutgoingPush, url: string) {
    if (deduplication === undefined) return undefined;
    if (deduplication === 'content') {
      return this.#digestOf([url, call.method, call.headers, content.data]);
    }
    const { id } = deduplication;
    if ('url' in to && deduplicationShape.accepts({ id })) return id;
    return this.#digestOf([id, 'topic' in to ? url : '']);
  }

  #digestOf(parts: readonly unknown[]): string {
    return this.#formats.digest({ data: JSON.stringify(parts) });
  }
}
