import type { OperationCatalogue } from '../../../../application/operation-catalogue.ts';
import type { ShownPush } from '../../../../application/pushes/shown-push.ts';
import { DomainError } from '../../../../domain/errors.ts';
import { queueOfPush } from '../../../../domain/messages/push-id.ts';
import { pushOrder, shownCursor, type OrderTerms, type PushOrder } from '../fields/order-fields.ts';
import { shownLabels, shownLetter, shownMessage } from '../fields/shown-message.ts';
import type { Handler, QstashCall, Routes } from './handler.ts';

const OF_LETTERS: OrderTerms = { ids: 'dlqIds', fields: { responseStatus: 'responseStatus' } };
const OF_HOSTS = { host: 'host', path: 'path' } as const;
const OF_CANCELS: OrderTerms = { ids: 'messageIds', fields: OF_HOSTS, mustChoose: true };
const OF_LOGS: OrderTerms = { ids: 'messageIds', fields: OF_HOSTS, hasState: true };

/** What has begun and has not ended. */
const IN_PROGRESS: readonly string[] = ['CREATED', 'ACTIVE', 'ERROR', 'RETRY'];

/** Messages after they were published, those that failed, and what happened to them. */
export function messageRoutes(operations: OperationCatalogue['pushedMessages']): Routes {
  const logs: Handler = async (call) => {
    const order = pushOrder(call, OF_LOGS);
    const { messages, cursor } = await call.perform(
      operations.readMessageLogs,
      inputOf(call, order),
    );
    const events = messages.flatMap((each) => shownEvents(each, order.state));
    events.sort((one, other) => other.time - one.time);
    return { result: { events, cursor: shownCursor(cursor) } };
  };
  return {
    'GET messages/:id': async (call) => {
      const { messages } = await call.perform(operations.readMessages, named(call));
      return { result: shownMessage(there(call, messages)) };
    },
    'DELETE messages/:id': async (call) => {
      const { ids } = await call.perform(operations.cancelMessages, named(call));
      there(call, ids);
      return { status: 202, result: { cancelled: 1 } };
    },
    'DELETE messages': async (call) => {
      const { ids } = await call.perform(operations.cancelMessages, inputOf(call, OF_CANCELS));
      return { status: 202, result: { cancelled: ids.length } };
    },
    'GET dlq': async (call) => {
      const input = inputOf(call, OF_LETTERS);
      const { messages, cursor } = await call.perform(operations.readDeadMessages, input);
      return { result: { messages: messages.map(shownLetter), cursor: shownCursor(cursor) } };
    },
    'GET dlq/:id': async (call) => {
      const { messages } = await call.perform(operations.readDeadMessages, named(call));
      return { result: shownLetter(there(call, messages)) };
    },
    'DELETE dlq/:id': async (call) => {
      const { ids } = await call.perform(operations.removeDeadMessages, named(call));
      there(call, ids);
      return { result: { deleted: 1 } };
    },
    'DELETE dlq': async (call) => {
      const input = inputOf(call, { ...OF_LETTERS, mustChoose: true });
      const { ids, cursor } = await call.perform(operations.removeDeadMessages, input);
      return { result: { deleted: ids.length, cursor: shownCursor(cursor) } };
    },
    'POST dlq/retry': async (call) => {
      const input = inputOf(call, { ...OF_LETTERS, mustChoose: true });
      const { ids, cursor } = await call.perform(operations.retryDeadMessages, input);
      const responses = ids.map((messageId) => ({ messageId }));
      return { result: { responses, cursor: shownCursor(cursor) } };
    },
    'POST dlq/retry/:id': async (call) => {
      const { ids } = await call.perform(operations.retryDeadMessages, named(call));
      return { result: { messageId: there(call, ids) } };
    },
    'GET events': logs,
    'GET logs': logs,
  };
}

/** The message that is named in the path. @throws DomainError `invalid-request`. */
function named({ names, queueNamed }: QstashCall) {
  const id = names['id'] ?? '';
  return { chosen: { ids: [id] }, queues: [queueNamed(queueOfPush(id))] };
}

/** @throws DomainError `job-not-found`. */
function there<Found>({ names }: QstashCall, [found]: readonly Found[]): Found {
  if (found !== undefined) return found;
  throw new DomainError('job-not-found', `message ${names['id'] ?? ''} not found`);
}

/** Which messages a request is about, and the queues of those that it names. @throws DomainError `invalid-request`. */
function inputOf(call: QstashCall, terms: OrderTerms | PushOrder) {
  const { chosen } = 'chosen' in terms ? terms : pushOrder(call, terms);
  const ids = 'ids' in chosen ? chosen.ids : [];
  return { chosen, queues: ids.map((id) => call.queueNamed(queueOfPush(id))) };
}

function shownEvents(message: ShownPush, asked: PushOrder['state']) {
  const { id, url, topic, endpointName, queue, schedule, label, headers, data, callerIp } = message;
  const of = {
    ...{ messageId: id, url, topicName: topic, endpointName, queueName: queue },
    ...{ scheduleId: schedule, header: headers, body: data, callerIP: callerIp },
    ...{ flowControlKey: message.flowControl?.key, ...shownLabels(label) },
  };
  return (message.events ?? [])
    .filter(({ state }) => {
      if (asked === 'IN_PROGRESS') return IN_PROGRESS.includes(state);
      return asked === undefined || state === asked;
    })
    .map(({ at, status, ...event }) => ({ ...of, ...event, time: at, responseStatus: status }));
}
