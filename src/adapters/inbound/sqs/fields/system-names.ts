import { SqsError } from '../wire/sqs-error.ts';

const NAMES: ReadonlySet<string> = new Set([
  'All',
  'SenderId',
  'SentTimestamp',
  'ApproximateReceiveCount',
  'ApproximateFirstReceiveTimestamp',
  'SequenceNumber',
  'MessageDeduplicationId',
  'MessageGroupId',
  'AWSTraceHeader',
  'DeadLetterQueueSourceArn',
]);

/** @throws SqsError `InvalidAttributeName` for what is no attribute that SQS gives a message. */
export function checkSystemNames(names: readonly string[]): void {
  const other = names.find((name) => !NAMES.has(name));
  if (other === undefined) return;
  throw new SqsError('InvalidAttributeName', `Unknown Attribute ${other.slice(0, 100)}.`);
}
