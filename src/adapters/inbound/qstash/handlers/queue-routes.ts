import type { OperationCatalogue } from '../../../../application/operation-catalogue.ts';
import type { FlowControlState } from '../../../../application/pushes/push-flow-controls.ts';
import type { ListedPushQueue } from '../../../../application/pushes/push-queue-list.ts';
import { pushQueueShape } from '../../../../domain/messages/push-queue.ts';
import { invalidRequest } from '../../../../domain/errors.ts';
import { checkExactShape } from '../../../../domain/values/check-shape.ts';
import { orderOf } from '../fields/order-fields.ts';
import { lists, performs, refuses, type QstashCall, type Routes } from './handler.ts';

const NO_PINS =
  'The limits of a key are those of its latest message: publish one with other limits';

/** Queues, and keys of flow control. */
export function queueRoutes(operations: OperationCatalogue['pushQueues']): Routes {
  const queueOf = ({ names, queueNamed }: QstashCall) => ({
    queue: queueNamed(names['queue'] ?? ''),
  });
  const keyOf = ({ names }: QstashCall) => ({ key: names['key'] ?? '' });
  const searchOf = ({ query }: QstashCall) => ({ search: query.get('search') ?? '' });
  const saveQueue = performs(operations.savePushQueue, settingsOf);
  return {
    ...{ 'POST queues': saveQueue, 'POST queues/': saveQueue },
    'GET queues': lists(operations.listPushQueues, shownQueue),
    'GET queues/:queue': performs(operations.readPushQueue, queueOf, shownQueue),
    'DELETE queues/:queue': performs(operations.removePushQueue, queueOf),
    'POST queues/:queue/pause': performs(operations.pausePushQueue, queueOf),
    'POST queues/:queue/resume': performs(operations.resumePushQueue, queueOf),
    'GET flowControl': performs(operations.listFlowControls, searchOf, (keys) =>
      keys.map(shownKey),
    ),
    'GET flowControl/:key': performs(operations.readFlowControl, keyOf, shownKey),
    'POST flowControl/:key/pause': performs(operations.pauseFlowControl, keyOf),
    'POST flowControl/:key/resume': performs(operations.resumeFlowControl, keyOf),
    'POST flowControl/:key/pin': refuses(NO_PINS),
    'POST flowControl/:key/unpin': refuses(NO_PINS),
    'POST flowControl/:key/resetRate': refuses(
      'The window of a key ends by itself, and is not reset',
    ),
    'GET globalParallelism': refuses('There is no parallelism of all messages together'),
  };
}

function settingsOf(call: QstashCall) {
  const { queueName, ...order } = orderOf(call);
  if (typeof queueName !== 'string')
    throw invalidRequest('queueName must be a string', 'queueName');
  checkExactShape(pushQueueShape, order, '');
  return { queue: call.queueNamed(queueName), order };
}

function shownQueue(queue: ListedPushQueue): object {
  return { ...queue, updatedAt: queue.createdAt };
}

function shownKey({ key, settings = {}, waiting, active, paused }: FlowControlState): object {
  const { concurrency = 0, limiter: { max, duration } = { max: 0, duration: 0 } } = settings;
  return {
    ...{ flowControlKey: key, waitListSize: waiting, isPaused: paused },
    ...{ parallelismMax: concurrency, parallelismCount: active, isPinnedParallelism: false },
    ...{ rateMax: max, rateCount: 0, ratePeriod: duration / 1000, ratePeriodStart: 0 },
    isPinnedRate: false,
  };
}
