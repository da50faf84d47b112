import type { Attempt } from '../../../../domain/attempts/attempt.ts';
import { MESSAGE_NAME } from '../../../../domain/jobs/message-job.ts';
import { isObject, type Json } from '../../../../domain/values/json.ts';
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
  const own = systemAttributesOf(attempt, content, facts);
  const isAll = system.includes('All');
  const shown = Object.entries(own).filter(
    ([name, value]) => value !== undefined && (isAll || system.includes(name)),
  );
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

function systemAttributesOf(
  { job, jobId }: Attempt,
  { systemAttributes = {} }: Content,
  { region, isFifo, firstReceivedAt = job.processedOn }: ReceiveFacts,
): Readonly<Record<string, string | undefined>> {
  const { opts } = job;
  const [mark, origin] = [opts['message'], opts['origin']];
  const sender = isObject(mark) ? mark['sender'] : undefined;
  const source = isObject(origin) ? origin['queue'] : undefined;
  return {
    SenderId: typeof sender === 'string' ? sender : '',
    SentTimestamp: String(job.timestamp),
    ApproximateReceiveCount: String(job.attemptsStarted),
    ApproximateFirstReceiveTimestamp:
      firstReceivedAt === undefined ? undefined : String(firstReceivedAt),
    MessageGroupId: opts.group?.id,
    MessageDeduplicationId: isFifo ? deduplicationIdOf(opts.deduplication, mark) : undefined,
    SequenceNumber: isFifo ? sequenceNumber(jobId) : undefined,
    AWSTraceHeader: systemAttributes['AWSTraceHeader']?.StringValue,
    DeadLetterQueueSourceArn: typeof source === 'string' ? queueArn(region, source) : undefined,
  };
}

/** A copy in a dead letter queue stands for no id, but keeps that of its message. */
function deduplicationIdOf(
  deduplication: { readonly id: string } | undefined,
  mark: unknown,
): string | undefined {
  const kept = isObject(mark) ? mark['deduplicationId'] : undefined;
  return deduplication?.id ?? (typeof kept === 'string' ? kept : undefined);
}
