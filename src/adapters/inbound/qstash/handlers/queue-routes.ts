import type { OperationCatalogue } from '../../../../application/operation-catalogue.ts';
import type { FlowControlState } from '../../../../application/pushes/push-flow-controls.ts';
import type { ListedPushQueue } from '../../../../application/pushes/push-queue-list.ts';
import { invalidRequest } from '../../../../domain/errors.ts';
import { isObject, parsedJson } from '../../../../domain/values/json.ts';
import { NotServedError } from '../wire/failure.ts';
import type { QstashCall, Routes } from './handler.ts';

const NO_PINS =
  'The limits of a key are those of its latest message: publish one with other limits';

/** Queues, and keys of flow control. */
export function queueRoutes(operations: OperationCatalogue['pushQueues']): Routes {
  const queueOf = ({ names, queueNamed }: QstashCall) => ({
    queue: queueNamed(names['queue'] ?? ''),
  });
  const keyOf = ({ names }: QstashCall) => ({ key: names['key'] ?? '' });
  const done = { result: {} };
  return {
    'POST queues': async (call) => {
      const { queueName, parallelism, paused, ...rest } = orderOf(call);
      const [unknown] = Object.keys(rest);
      if (unknown !== undefined) throw invalidRequest(`${unknown} must be left out`, unknown);
      if (typeof queueName !== 'string')
        throw invalidRequest('queueName must be a string', 'queueName');
      const order = {
        ...(parallelism !== undefined && { parallelism }),
        ...(paused !== undefined && { paused }),
      };
      await call.perform(operations.savePushQueue, { queue: call.queueNamed(queueName), order });
      return done;
    },
    'GET queues': async (call) => ({
      result: (await call.perform(operations.listPushQueues, {})).map(shownQueue),
    }),
    'GET queues/:queue': async (call) => ({
      result: shownQueue(await call.perform(operations.readPushQueue, queueOf(call))),
    }),
    'DELETE queues/:queue': async (call) => {
      await call.perform(operations.removePushQueue, queueOf(call));
      return done;
    },
    'POST queues/:queue/pause': async (call) => {
      await call.perform(operations.pausePushQueue, queueOf(call));
      return done;
    },
    'POST queues/:queue/resume': async (call) => {
      await call.perform(operations.resumePushQueue, queueOf(call));
      return done;
    },
    'GET flowControl': async (call) => {
      const input = { search: call.query.get('search') ?? '' };
      return {
        result: (await call.perform(operations.listFlowControls, input)).map(shownFlowControl),
      };
    },
    'GET flowControl/:key': async (call) => ({
      result: shownFlowControl(await call.perform(operations.readFlowControl, keyOf(call))),
    }),
    'POST flowControl/:key/pause': async (call) => {
      await call.perform(operations.pauseFlowControl, keyOf(call));
      return done;
    },
    'POST flowControl/:key/resume': async (call) => {
      await call.perform(operations.resumeFlowControl, keyOf(call));
      return done;
    },
    'POST flowControl/:key/pin': () => Promise.reject(new NotServedError(NO_PINS)),
    'POST flowControl/:key/unpin': () => Promise.reject(new NotServedError(NO_PINS)),
    'POST flowControl/:key/resetRate': () =>
      Promise.reject(new NotServedError('The window of a key ends by itself, and is not reset')),
    'GET globalParallelism': () =>
      Promise.reject(new NotServedError('There is no parallelism of all messages together')),
  };
}

/** @throws DomainError `invalid-request` for a body that is no object. */
export function orderOf({ body }: Pick<QstashCall, 'body'>): Readonly<Record<string, unknown>> {
  const order = parsedJson(body.toString());
  if (isObject(order)) return order;
  throw invalidRequest('The body must be a JSON object');
}

function shownQueue({ name, parallelism, paused, lag, createdAt }: ListedPushQueue): object {
  return { name, parallelism, paused, lag, createdAt, updatedAt: createdAt };
}

function shownFlowControl(state: FlowControlState): object {
  const { key, parallelism, rate, period, waiting, active, paused } = state;
  return {
    flowControlKey: key,
    waitListSize: waiting,
    parallelismMax: parallelism,
    parallelismCount: active,
    rateMax: rate,
    rateCount: 0,
    ratePeriod: period / 1000,
    ratePeriodStart: 0,
    isPaused: paused,
    isPinnedParallelism: false,
    isPinnedRate: false,
  };
}
