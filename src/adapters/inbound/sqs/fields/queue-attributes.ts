import type { MessageQueue } from '../../../../application/messages/message-queues.ts';
import type {
  QueueAttributeName,
  QueueAttributes,
} from '../../../../application/messages/queue-attributes.ts';
import { SqsError } from '../wire/sqs-error.ts';
import { queueArn } from './queue-arn.ts';
import { redriveOf, redrivePolicy } from './redrive-policy.ts';

/** A queue whose attributes are shown. */
interface ShownQueue extends MessageQueue {
  readonly queue: string;
  readonly region: string;
}

type Shown = (queue: ShownQueue) => string | undefined;

/** An attribute that programs set: the field of it, or one that is kept and read back, without effect. */
type Setting = {
  /** Whether only queues have it in which messages are in order and sent once. */
  readonly isOfFifo?: true;
  readonly shown?: Shown;
} & (
  | { readonly field: QueueAttributeName; read(name: string, value: string): unknown }
  | { readonly field?: undefined }
);

const SECOND = 1000;

const SETTINGS: ReadonlyMap<string, Setting> = new Map<string, Setting>([
  ['VisibilityTimeout', numeric('visibility', 0, 43_200)],
  ['DelaySeconds', numeric('delay', 0, 900)],
  ['MessageRetentionPeriod', numeric('retention', 60, 1_209_600)],
  ['MaximumMessageSize', numeric('maxSize', 1024, 1_048_576, 1)],
  ['ReceiveMessageWaitTimeSeconds', numeric('wait', 0, 20)],
  ['SqsManagedSseEnabled', { shown: () => 'true' }],
  [
    'RedrivePolicy',
    {
      field: 'redrive',
      read: (_, value) => redriveOf(value),
      shown: ({ terms, region }) => terms.redrive && redrivePolicy(terms.redrive, region),
    },
  ],
  ['FifoQueue', { field: 'fifo', read: booleanOf, isOfFifo: true, shown: () => 'true' }],
  [
    'ContentBasedDeduplication',
    {
      field: 'deduplicatesContent',
      read: booleanOf,
      isOfFifo: true,
      shown: ({ terms }) => String(terms.deduplicatesContent),
    },
  ],
  ['DeduplicationScope', { isOfFifo: true, shown: () => 'queue' }],
  ['FifoThroughputLimit', { isOfFifo: true, shown: () => 'perQueue' }],
  ['RedriveAllowPolicy', {}],
  ['Policy', {}],
]);

/** Those that say how a queue stands. */
const STANDING: ReadonlyMap<string, Shown> = new Map<string, Shown>([
  ['QueueArn', ({ queue, region }) => queueArn(region, queue)],
  ['ApproximateNumberOfMessages', ({ counts }) => String(counts.waiting + counts.prioritized)],
  ['ApproximateNumberOfMessagesNotVisible', ({ counts }) => String(counts.active)],
  ['ApproximateNumberOfMessagesDelayed', ({ counts }) => String(counts.delayed)],
  ['CreatedTimestamp', ({ terms }) => seconds(terms.createdAt)],
  ['LastModifiedTimestamp', ({ terms }) => seconds(terms.changedAt)],
]);

const KMS: ReadonlySet<string> = new Set(['KmsMasterKeyId', 'KmsDataKeyReusePeriodSeconds']);

/** The name of the attribute that a field is. */
export function attributeNameOf(field: QueueAttributeName): string {
  for (const [name, setting] of SETTINGS) if (setting.field === field) return name;
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
    const setting = SETTINGS.get(name);
    if (setting === undefined || (setting.isOfFifo === true && !isFifo)) throw unknown(name);
    if (setting.field === undefined) kept[name] = value;
    else attributes = { ...attributes, [setting.field]: setting.read(name, value) };
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
  read: MessageQueue,
  asked: readonly string[],
  region: string,
): Readonly<Record<string, string>> {
  for (const name of asked) {
    if (name !== 'All' && !SETTINGS.has(name) && !STANDING.has(name)) throw unknown(name);
  }
  const facts = { ...read, queue, region };
  const shown: Record<string, string | undefined> = {};
  for (const [name, { isOfFifo = false, shown: valueOf }] of SETTINGS) {
    if (valueOf !== undefined && (!isOfFifo || read.terms.fifo)) shown[name] = valueOf(facts);
  }
  Object.assign(shown, read.terms.kept);
  for (const [name, valueOf] of STANDING) shown[name] = valueOf(facts);
  const isAskedFor = (name: string): boolean => asked.includes('All') || asked.includes(name);
  const entries = Object.entries(shown).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && isAskedFor(entry[0]),
  );
  return Object.fromEntries(entries);
}

/** An attribute that is a number within bounds. @param unit how many of its units a stored one has. */
function numeric(
  field: 'visibility' | 'delay' | 'retention' | 'maxSize' | 'wait',
  least: number,
  most: number,
  unit = SECOND,
): Setting {
  return {
    field,
    read: (name, value) => {
      const number = /^\d{1,9}$/.test(value) ? Number(value) : NaN;
      if (number >= least && number <= most) return number * unit;
      throw invalidAttribute(name);
    },
    shown: ({ terms }) => String(Math.floor(terms[field] / unit)),
  };
}

function booleanOf(name: string, value: string): boolean {
  const word = value.toLowerCase();
  if (word === 'true' || word === 'false') return word === 'true';
  throw invalidAttribute(name);
}

function seconds(time: number | undefined): string | undefined {
  return time === undefined ? undefined : String(Math.floor(time / SECOND));
}

function unknown(name: string): SqsError {
  return KMS.has(name)
    ? new SqsError(
        'UnsupportedOperation',
        `${name} is of a key management service, which this service has not.`,
      )
    : new SqsError('InvalidAttributeName', `Unknown Attribute ${name}.`);
}

function invalidAttribute(name: string): SqsError {
  return new SqsError('InvalidAttributeValue', `Invalid value for the parameter ${name}.`);
}
