import { checkShape } from '../../domain/values/check-shape.ts';
import { callTimeoutShape } from '../../domain/calls/call-timeout.ts';
import { destinationShape, type Destination } from '../../domain/calls/destination.ts';
import { groupIdShape } from '../../domain/groups/group-id.ts';
import { QUEUE_GROUP } from '../../domain/limits/flow-limit.ts';
import { deduplicationShape } from '../../domain/jobs/deduplication.ts';
import type { JobInput } from '../../domain/jobs/job.ts';
import { PUSH_QUEUE, pushId } from '../../domain/messages/push-id.ts';
import {
  PUSH_NAME,
  type FollowingPush,
  type Push,
  type PushContent,
  type PushDestination,
} from '../../domain/messages/push.ts';
import { retryDelayShape } from '../../domain/messages/retry-delay.ts';
import type { GroupEndpoint } from '../../domain/messages/url-group.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import { integer } from '../../domain/values/shape.ts';
import type { Destinations } from '../destinations/destinations.ts';
import type { PushFormatPort } from '../ports/push-format-port.ts';
import type { OrderedCall, OutgoingPush } from './outgoing-push.ts';

/** How long (ms) a message stands for its deduplication id, even if it ends before. */
const DEDUPLICATED_FOR = 600_000;

/** The longest time (ms) that a message may be put off: a year. */
const LONGEST_DELAY = 31_536_000_000;

const timeShape = integer(0, LONGEST_DELAY);
const retriesShape = integer(0, 10_000);

/** A message as a job. The mark is the option that no client can set. */
export interface PushJob {
  readonly input: JobInput;
  readonly mark: { readonly endpoint: PushDestination };
}

/** Makes jobs of messages (further contract, section 24). */
export class PushJobs {
  readonly #destinations: Pick<Destinations, 'prepared' | 'sealed'>;
  readonly #formats: Pick<PushFormatPort, 'digest'>;

  constructor(
    destinations: Pick<Destinations, 'prepared' | 'sealed'>,
    formats: Pick<PushFormatPort, 'digest'>,
  ) {
    this.#destinations = destinations;
    this.#formats = formats;
  }

  /**
   * The job of a message for one endpoint.
   *
   * @param id of the message, without its queue.
   * @throws DomainError `invalid-request` naming the header.
   */
  of(message: OutgoingPush, { url, name }: GroupEndpoint, id: string): PushJob {
    const { queue, to, retries, retryDelay, timeout, delay, flowControl, redact } = message;
    const { callback, failureCallback, label, schedule, callerIp } = message;
    const { content } = message;
    const following = this.#following(message, queue, url, 'Upstash');
    const isHidden = redact?.body === true;
    const push: Push = {
      ...(content.isBase64 === true && { isBase64: true as const }),
      ...(isHidden && { body: this.#hidden(url, content.data) }),
      ...(redact && { redacted: this.#redacted(message.headers, redact.headers) }),
      ...(retryDelay !== undefined && { retryDelay }),
      ...(label !== undefined && { label }),
      ...(flowControl && { flowControl }),
      ...(callback && { callback: this.#callback(callback, 'Upstash-Callback') }),
      ...(failureCallback && {
        failureCallback: this.#callback(failureCallback, 'Upstash-Failure-Callback'),
      }),
      ...('topic' in to && { topic: to.topic }),
      ...(name !== undefined && { endpointName: name }),
      ...(schedule !== undefined && { schedule }),
      ...(callerIp !== undefined && { callerIp }),
    };
    const group = this.groupOf(message);
    const deduplication = this.#deduplicated(message, url, content.data);
    return {
      input: {
        name: PUSH_NAME,
        data: isHidden ? this.#redactedText(content) : content.data,
        opts: {
          jobId: pushId(id, queue),
          attempts: retries + 1,
          ...(delay !== undefined && delay > 0 && { delay }),
          ...(timeout !== undefined && { timeout }),
          ...(group !== undefined && { group: { id: group } }),
          ...(deduplication !== undefined && {
            deduplication: { id: deduplication, ttl: DEDUPLICATED_FOR },
          }),
        },
      },
      mark: { endpoint: { ...following.endpoint, push } },
    };
  }

  /** The id of the one message for a URL that follows from a text. */
  idOf(once: string, url: string): string {
    const digest = this.#formats.digest({ data: JSON.stringify([once, url]) });
    return digest.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');
  }

  /** The group whose limits are those of the key of a message, or which keeps the messages of a queue in order. */
  groupOf({ flowControl, queue }: Pick<OutgoingPush, 'flowControl' | 'queue'>): string | undefined {
    if (flowControl === undefined) return queue === PUSH_QUEUE ? undefined : QUEUE_GROUP;
    return this.groupOfKey(flowControl.key);
  }

  groupOfKey(key: string): string {
    return groupIdShape.accepts(key) && key !== QUEUE_GROUP ? key : this.#formats.digest({ data: key });
  }

  #callback(call: OrderedCall, header: string): FollowingPush {
    const { retries, retryDelay, timeout, delay } = call;
    const { endpoint } = this.#following(call, PUSH_QUEUE, call.url, header);
    return {
      endpoint,
      retries,
      ...(retryDelay !== undefined && { retryDelay }),
      ...(timeout !== undefined && { timeout }),
      ...(delay !== undefined && { delay }),
    };
  }

  /** What is called, with its headers encrypted. @param header names its part of the headers in errors. */
  #following(
    { method, headers, retries, retryDelay, timeout, delay }: Omit<OrderedCall, 'url'>,
    queue: QueueName,
    url: string,
    header: string,
  ): { readonly endpoint: Destination } {
    const endpoint: Destination = { url, headers, ...(method !== undefined && { method }) };
    checkShape(destinationShape, endpoint, header === 'Upstash' ? 'destination' : header);
    checkShape(retriesShape, retries, `${header}-Retries`);
    if (retryDelay !== undefined) checkShape(retryDelayShape, retryDelay, `${header}-Retry-Delay`);
    if (timeout !== undefined) checkShape(callTimeoutShape, timeout, `${header}-Timeout`);
    if (delay !== undefined) checkShape(timeShape, delay, `${header}-Delay`);
    return this.#destinations.prepared(queue, { endpoint }, '');
  }

  /** A text that no reader sees, encrypted as a header of the call would be. */
  #hidden(url: string, body: string): string {
    const endpoint: Destination = { url, headers: { body } };
    return this.#destinations.sealed(endpoint).headers?.['body'] ?? '';
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
  #deduplicated(
    { deduplication, to, method, headers }: OutgoingPush,
    url: string,
    data: string,
  ): string | undefined {
    if (deduplication === undefined) return undefined;
    if (deduplication === 'content') {
      return this.#digestOf([url, method, headers, data]);
    }
    const { id } = deduplication;
    if ('url' in to && deduplicationShape.accepts({ id })) return id;
    return this.#digestOf([id, 'topic' in to ? url : '']);
  }

  #digestOf(parts: readonly unknown[]): string {
    return this.#formats.digest({ data: JSON.stringify(parts) });
  }
}
