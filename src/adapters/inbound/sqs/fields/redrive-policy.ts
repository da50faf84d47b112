import type { Redrive } from '../../../../domain/policies/message-policy.ts';
import { isObject, parsedJson } from '../../../../domain/values/json.ts';
import { invalidValue } from '../wire/sqs-error.ts';
import { queueArn, queueOfArn } from './queue-arn.ts';

const [LEAST, MOST] = [1, 1000];

/**
 * The dead letter queue that a `RedrivePolicy` names; null for an empty one, which takes it away.
 *
 * @throws SqsError `InvalidParameterValue`.
 */
export function redriveOf(text: string): Redrive | null {
  if (text === '') return null;
  const refuse = (reason: string): Error => invalidValue('RedrivePolicy', text, reason);
  const policy = parsedJson(text);
  if (!isObject(policy)) throw refuse('Redrive policy is not a valid JSON map.');
  const { deadLetterTargetArn: arn, maxReceiveCount: count } = policy;
  if (arn === undefined) {
    throw refuse('Redrive policy does not contain mandatory attribute: deadLetterTargetArn.');
  }
  if (count === undefined) {
    throw refuse('Redrive policy does not contain mandatory attribute: maxReceiveCount.');
  }
  const queue = typeof arn === 'string' ? queueOfArn(arn) : undefined;
  if (queue === undefined) throw refuse('Invalid value for deadLetterTargetArn.');
  const maxReceives = typeof count === 'string' && /^\d+$/.test(count) ? Number(count) : count;
  if (!isCount(maxReceives)) {
    throw refuse(
      `Invalid value for maxReceiveCount: ${JSON.stringify(count)}, valid values are from ${LEAST} to ${MOST} both inclusive.`,
    );
  }
  return { queue, maxReceives };
}

export function redrivePolicy({ queue, maxReceives }: Redrive, region: string): string {
  return JSON.stringify({
    deadLetterTargetArn: queueArn(region, queue),
    maxReceiveCount: maxReceives,
  });
}

function isCount(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= LEAST && (value as number) <= MOST;
}
