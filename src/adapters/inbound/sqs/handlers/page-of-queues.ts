import type {
  PageOfQueues,
  QueuesOfPrefix,
} from '../../../../application/messages/message-queues.ts';
import type { Members } from '../wire/members.ts';
import { invalidParameter } from '../wire/sqs-error.ts';

const MOST = 1000;

/** @throws SqsError `InvalidParameterValue`. */
export function queuesPage(members: Members): Omit<QueuesOfPrefix, 'prefix'> {
  const must = `MaxResults must be an integer between 1 and ${MOST}.`;
  const length = members.integerWithin('MaxResults', 1, MOST, must) ?? MOST;
  const token = members.text('NextToken');
  return { after: token === undefined || token === '' ? undefined : nameIn(token), length };
}

/** Where the next page begins; as in SQS, only for a client that asked for a page. */
export function nextToken(members: Members, { queues, hasMore }: PageOfQueues): object {
  const last = queues.at(-1);
  if (!hasMore || last === undefined || !members.has('MaxResults')) return {};
  return { NextToken: Buffer.from(`q:${last}`).toString('base64url') };
}

function nameIn(token: string): string {
  const text = Buffer.from(token, 'base64url').toString();
  if (text.startsWith('q:')) return text.slice(2);
  throw invalidParameter('Invalid or expired next token.');
}
