import type { OperationCatalogue } from '../../../../application/operation-catalogue.ts';
import type { PublishedPush } from '../../../../application/pushes/outgoing-push.ts';
import { PUSH_QUEUE } from '../../../../domain/messages/push-id.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import { batchEntries } from '../fields/batch-entries.ts';
import { outgoing } from '../fields/message-headers.ts';
import type { Handled, QstashCall, Routes } from './handler.ts';
import { isScheduled, schedule } from './schedule-routes.ts';

type Operations = Pick<OperationCatalogue, 'pushes' | 'pushSchedules'>;

type Published = PublishedPush | readonly PublishedPush[];

/** Publishing to URLs and URL groups. */
export function publishRoutes({ pushes: operations, pushSchedules }: Operations): Routes {
  const publish = async (call: QstashCall, queue: QueueName): Promise<Handled> => {
    if (isScheduled(call)) return schedule(pushSchedules, call, queue);
    const messages = [outgoing(call, queue)];
    const [published = []] = await call.perform(operations.publishMessages, { messages });
    return { status: statusOf(published), result: published };
  };
  return {
    'POST publish/*': (call) => publish(call, PUSH_QUEUE),
    'POST enqueue/:queue/*': (call) => publish(call, call.queueNamed(call.names['queue'] ?? '')),
    'POST batch': async (call) => {
      const messages = batchEntries(call).map(({ queue, ...written }) =>
        outgoing(written, queue === undefined ? PUSH_QUEUE : call.queueNamed(queue)),
      );
      return { result: await call.perform(operations.publishMessages, { messages }) };
    },
  };
}

/** 202 says that another message stands for this one. */
function statusOf(published: Published): number {
  const all = [published].flat();
  return all.length > 0 && all.every(({ deduplicated }) => deduplicated === true) ? 202 : 201;
}
