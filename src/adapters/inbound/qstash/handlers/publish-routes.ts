import type { OperationCatalogue } from '../../../../application/operation-catalogue.ts';
import type { OutgoingPush, PublishedPush } from '../../../../application/pushes/outgoing-push.ts';
import { PUSH_QUEUE } from '../../../../domain/messages/push-id.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import { contentOf } from '../fields/content.ts';
import { batchEntries } from '../fields/batch-entries.ts';
import { destinationNamed } from '../fields/destination.ts';
import { messageTerms, type Headers } from '../fields/message-headers.ts';
import type { Handled, QstashCall, Routes } from './handler.ts';

type Published = PublishedPush | readonly PublishedPush[];

/** Publishing to URLs and URL groups. */
export function publishRoutes(operations: OperationCatalogue['pushes']): Routes {
  const publish = async (call: QstashCall, queue: QueueName): Promise<Handled> => {
    const { headers, destination, body } = call;
    const message = outgoing(call, { headers, destination, body, queue });
    const [published = []] = await call.perform(operations.publishMessages, {
      messages: [message],
    });
    return { status: statusOf(published), result: published };
  };
  return {
    'POST publish/*': (call) => publish(call, PUSH_QUEUE),
    'POST enqueue/:queue/*': (call) => publish(call, call.queueNamed(call.names['queue'] ?? '')),
    'POST batch': async (call) => {
      const messages = batchEntries(call.body).map((entry) => {
        const { queue } = entry;
        return outgoing(call, {
          ...entry,
          queue: queue === undefined ? PUSH_QUEUE : call.queueNamed(queue),
        });
      });
      return { result: await call.perform(operations.publishMessages, { messages }) };
    },
  };
}

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

/** 202 says that another message stands for this one. */
function statusOf(published: Published): number {
  const all = [published].flat();
  return all.length > 0 && all.every(({ deduplicated }) => deduplicated === true) ? 202 : 201;
}
