import type { Attempt } from '../../../../domain/attempts/attempt.ts';
import { MESSAGE_NAME } from '../../../../domain/jobs/message-job.ts';
import { isObject, type Json } from '../../../../domain/values/json.ts';
import { SqsError } from '../wire/sqs-error.ts';
import { chosenAttributes } from './attribute-filter.ts';
import { md5OfAttributes, md5OfBody } from './md5.ts';
import { isAttributes, type MessageAttributes } from './message-attributes.ts';
import { queueArn } from './queue-arn.ts';
import { receiptHandle } from './receipt-handle.ts';
import { sequenceNumber } from './sequence-number.ts';

/** What a receive asks for besides the messages. */
export interface AskedFor {
  /** The names of the attributes of SQS itself. */
  readonly system: readonly string[];
  /** Those of the attributes of the sender. */
  readonly attributes: readonly string[] | undefined;
}

/** What is known of a received message besides its job. */
export interface ReceiveFacts {
  readonly region: string;
  /** Whether messages of its queue have numbers. */
  readonly isFifo: boolean;
  /** When (epoch ms) it was received first. */
  readonly firstReceivedAt: number | undefined;
}

/** The content of a message. */
interface Content {
  readonly body: string;
  readonly attributes?: MessageAttributes;
  readonly systemAttributes?: MessageAttributes;
}

/** A received message as JSON. */
export type MessageJson = Readonly<Record<string, unknown>> & { readonly Body: string };

/** A received message as its client gets it. Any job is a message: one that was not sent as such has its data as body. */
export function receivedMessage(
  attempt: Attempt,
  { system, attributes: asked }: AskedFor,
  facts: ReceiveFacts,
): MessageJson {
  const { job, jobId, token } = attempt;
  const content = contentOf(job.name, job.data);
  const attributes = chosenAttributes(content.attributes, asked);
  const isAll = system.includes('All');
  const shown = Object.entries(SYSTEM_ATTRIBUTES).flatMap(([name, valueOf]) => {
    const value = isAll || system.includes(name) ? valueOf(attempt, content, facts) : undefined;
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    MessageId: jobId,
    ReceiptHandle: receiptHandle({
      queue: job.queue,
      jobId,
      token,
      receives: job.attemptsStarted,
    }),
    MD5OfBody: md5OfBody(content.body),
    Body: content.body,
    ...(shown.length > 0 && { Attributes: Object.fromEntries(shown) }),
    ...(attributes && {
      MD5OfMessageAttributes: md5OfAttributes(attributes),
      MessageAttributes: attributes,
    }),
  };
}

function contentOf(name: string, data: Json): Content {
  if (name === MESSAGE_NAME && isObject(data)) {
    const { body, attributes = {}, systemAttributes = {} } = data;
    if (typeof body === 'string' && isAttributes(attributes) && isAttributes(systemAttributes)) {
      return { body, attributes, systemAttributes };
    }
  }
  return { body: JSON.stringify(data) };
}

/** Returns the value of a system attribute; undefined when the message does not have it. */
type SystemAttribute = (
  attempt: Attempt,
  content: Content,
  facts: ReceiveFacts,
) => string | undefined;

const SYSTEM_ATTRIBUTES: Readonly<Record<string, SystemAttribute>> = {
  SenderId: ({ job }) => textIn(job.opts['message'], 'sender') ?? '',
  SentTimestamp: ({ job }) => String(job.timestamp),
  ApproximateReceiveCount: ({ job }) => String(job.attemptsStarted),
  ApproximateFirstReceiveTimestamp: ({ job }, _, { firstReceivedAt = job.processedOn }) =>
    firstReceivedAt === undefined ? undefined : String(firstReceivedAt),
  MessageGroupId: ({ job }) => job.opts.group?.id,
  // A copy in a dead letter queue stands for no id, but keeps that of its message.
  MessageDeduplicationId: ({ job: { opts } }, _, { isFifo }) =>
    isFifo ? (opts.deduplication?.id ?? textIn(opts['message'], 'deduplicationId')) : undefined,
  SequenceNumber: ({ jobId }, _, { isFifo }) => (isFifo ? sequenceNumber(jobId) : undefined),
  AWSTraceHeader: (_, { systemAttributes = {} }) => systemAttributes['AWSTraceHeader']?.StringValue,
  DeadLetterQueueSourceArn: ({ job }, _, { region }) => {
    const source = textIn(job.opts['origin'], 'queue');
    return source === undefined ? undefined : queueArn(region, source);
  },
};

/** @throws SqsError `InvalidAttributeName` for what is no attribute that SQS gives a message. */
export function checkSystemNames(names: readonly string[]): void {
  const other = names.find((name) => name !== 'All' && !Object.hasOwn(SYSTEM_ATTRIBUTES, name));
  if (other === undefined) return;
  throw new SqsError('InvalidAttributeName', `Unknown Attribute ${other.slice(0, 100)}.`);
}

function textIn(value: unknown, name: string): string | undefined {
  const text = isObject(value) ? value[name] : undefined;
  return typeof text === 'string' ? text : undefined;
}
