import type { MessageQueue } from '../../../../application/messages/message-queues.ts';
import type { MessageTerms } from '../../../../application/messages/message-terms.ts';
import type { QueueAttributes } from '../../../../application/messages/queue-attributes.ts';
import { SqsError } from '../wire/sqs-error.ts';
import { queueArn } from './queue-arn.ts';
import { redriveOf, redrivePolicy } from './redrive-policy.ts';

/** An attribute that a program sets as a number within bounds, and how many of its units a stored one has. */
interface NumberAttribute {
  readonly field: 'visibility' | 'delay' | 'retention' | 'maxSize' | 'wait';
  readonly least: number;
  readonly most: number;
  readonly unit: number;
}

const SECOND = 1000;

const NUMBERS: ReadonlyMap<string, NumberAttribute> = new Map<string, NumberAttribute>([
  ['VisibilityTimeout', { field: 'visibility', least: 0, most: 43_200, unit: SECOND }],
  ['DelaySeconds', { field: 'delay', least: 0, most: 900, unit: SECOND }],
  ['MessageRetentionPeriod', { field: 'retention', least: 60, most: 1_209_600, unit: SECOND }],
  ['MaximumMessageSize', { field: 'maxSize', least: 1024, most: 1_048_576, unit: 1 }],
  ['ReceiveMessageWaitTimeSeconds', { field: 'wait', least: 0, most: 20, unit: SECOND }],
]);

/** Attributes that are kept and read back, without effect. */
const KEPT: ReadonlySet<string> = new Set([
  'RedriveAllowPolicy',
  'Policy',
  'SqsManagedSseEnabled',
  'DeduplicationScope',
  'FifoThroughputLimit',
]);

/** Those that only queues have in which messages are in order and sent once. */
const OF_FIFO: ReadonlySet<string> = new Set([
  'FifoQueue',
  'ContentBasedDeduplication',
  'DeduplicationScope',
  'FifoThroughputLimit',
]);

/** Those that say how a queue stands. */
const STANDING: ReadonlySet<string> = new Set([
  'QueueArn',
  'ApproximateNumberOfMessages',
  'ApproximateNumberOfMessagesNotVisible',
  'ApproximateNumberOfMessagesDelayed',
  'CreatedTimestamp',
  'LastModifiedTimestamp',
]);

const KMS: ReadonlySet<string> = new Set(['KmsMasterKeyId', 'KmsDataKeyReusePeriodSeconds']);

/** The name of the attribute that a field is. */
export function attributeNameOf(field: keyof QueueAttributes): string {
  if (field === 'redrive') return 'RedrivePolicy';
  if (field === 'fifo') return 'FifoQueue';
  if (field === 'deduplicatesContent') return 'ContentBasedDeduplication';
  for (const [name, attribute] of NUMBERS) if (attribute.field === field) return name;
  return field;
}

/**
 * The attributes that a request sets.
 *
 * @param isFifo whether the messages of the queue are in order and sent once.
 * @throws SqsError `InvalidAttributeName`, `InvalidAttributeValue`, `InvalidParameterValue`, or `UnsupportedOperation`
 * for those of the key management service.
 */
export function queueAttributes(
  given: ReadonlyMap<string, string>,
  isFifo: boolean,
): QueueAttributes {
  const kept: Record<string, string> = {};
  let attributes: QueueAttributes = {};
  for (const [name, value] of given) {
    if (OF_FIFO.has(name) && !isFifo) throw unknownAttribute(name);
    if (KEPT.has(name)) kept[name] = value;
    else attributes = { ...attributes, ...attribute(name, value) };
  }
  return Object.keys(kept).length === 0 ? attributes : { ...attributes, kept };
}

/**
 * The attributes of a queue that a request asks for, by name.
 *
 * @param asked names; `All` is each of them.
 * @throws SqsError as {@link queueAttributes}.
 */
export function shownAttributes(
  queue: string,
  { terms, counts }: MessageQueue,
  asked: readonly string[],
  region: string,
): Readonly<Record<string, string>> {
  for (const name of asked) checkReadable(name);
  const isAskedFor = (name: string): boolean => asked.includes('All') || asked.includes(name);
  const shown: Record<string, string | undefined> = {
    ...settings(terms, region),
    QueueArn: queueArn(region, queue),
    ApproximateNumberOfMessages: String(counts.waiting + counts.prioritized),
    ApproximateNumberOfMessagesNotVisible: String(counts.active),
    ApproximateNumberOfMessagesDelayed: String(counts.delayed),
    CreatedTimestamp: seconds(terms.createdAt),
    LastModifiedTimestamp: seconds(terms.changedAt),
  };
  const entries = Object.entries(shown).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && isAskedFor(entry[0]),
  );
  return Object.fromEntries(entries);
}

function settings(
  terms: MessageTerms,
  region: string,
): Readonly<Record<string, string | undefined>> {
  const numbers = [...NUMBERS].map(([name, { field, unit }]) => [
    name,
    String(Math.floor(terms[field] / unit)),
  ]);
  return {
    ...(Object.fromEntries(numbers) as Record<string, string>),
    SqsManagedSseEnabled: 'true',
    RedrivePolicy: terms.redrive && redrivePolicy(terms.redrive, region),
    ...(terms.fifo && {
      FifoQueue: 'true',
      ContentBasedDeduplication: String(terms.deduplicatesContent),
      DeduplicationScope: 'queue',
      FifoThroughputLimit: 'perQueue',
    }),
    ...terms.kept,
  };
}

function attribute(name: string, value: string): QueueAttributes {
  const number = NUMBERS.get(name);
  if (number !== undefined) return { [number.field]: numberOf(name, value, number) };
  switch (name) {
    case 'RedrivePolicy':
      return { redrive: redriveOf(value) };
    case 'FifoQueue':
      return { fifo: booleanOf(name, value) };
    case 'ContentBasedDeduplication':
      return { deduplicatesContent: booleanOf(name, value) };
    default:
      if (KMS.has(name)) throw ofKeyManagement(name);
      throw unknownAttribute(name);
  }
}

function checkReadable(name: string): void {
  if (KMS.has(name)) throw ofKeyManagement(name);
  const isKnown =
    name === 'All' ||
    name === 'RedrivePolicy' ||
    [NUMBERS, KEPT, OF_FIFO, STANDING].some((names) => names.has(name));
  if (!isKnown) throw unknownAttribute(name);
}

function numberOf(name: string, value: string, { least, most, unit }: NumberAttribute): number {
  const number = /^\d{1,9}$/.test(value) ? Number(value) : NaN;
  if (number >= least && number <= most) return number * unit;
  throw invalidAttribute(name);
}

function booleanOf(name: string, value: string): boolean {
  const word = value.toLowerCase();
  if (word === 'true' || word === 'false') return word === 'true';
  throw invalidAttribute(name);
}

function seconds(time: number | undefined): string | undefined {
  return time === undefined ? undefined : String(Math.floor(time / SECOND));
}

function unknownAttribute(name: string): SqsError {
  return new SqsError('InvalidAttributeName', `Unknown Attribute ${name}.`);
}

function invalidAttribute(name: string): SqsError {
  return new SqsError('InvalidAttributeValue', `Invalid value for the parameter ${name}.`);
}

function ofKeyManagement(name: string): SqsError {
  return new SqsError(
    'UnsupportedOperation',
    `${name} is of a key management service, which this service has not.`,
  );
}
