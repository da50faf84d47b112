import type { OutgoingPush } from '../../../../application/pushes/outgoing-push.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import { contentOf } from '../fields/content.ts';
import { destinationNamed } from '../fields/destination.ts';
import { messageTerms, type Headers } from '../fields/message-headers.ts';
import type { QstashCall } from './handler.ts';

/** A message as it stands in a request, or in an entry of a batch. */
interface WrittenMessage {
  readonly headers: Headers;
  readonly destination: string;
  readonly body: Buffer;
  readonly queue: QueueName;
}

/** @throws DomainError `invalid-request` */
export function outgoing(
  { address }: Pick<QstashCall, 'address'>,
  { headers, destination, body, queue }: WrittenMessage,
): OutgoingPush {
  const terms = messageTerms(headers, Date.now());
  const to = destinationNamed(destination);
  return {
    ...terms,
    to,
    queue,
    content: contentOf(body),
    ...(address !== '' && { callerIp: address }),
  };
}
