import type { OperationCatalogue } from '../../../../application/operation-catalogue.ts';
import type { LoggedPush } from '../../../../application/pushes/pushed-messages.ts';
import { DomainError } from '../../../../domain/errors.ts';
import type { PushEvent } from '../../../../domain/messages/push-log.ts';
import { queueOfPush } from '../../../../domain/messages/push-id.ts';
import { pushOrder, shownCursor, type OrderTerms, type PushOrder } from '../fields/order-fields.ts';
import { shownLabels, shownLetter, shownMessage } from '../fields/shown-message.ts';
import type { Handler, QstashCall, Routes } from './handler.ts';

const OF_LETTERS: OrderTerms = { ids: 'dlqIds', hasStatus: true };
const OF_LOGS: OrderTerms = { ids: 'messageIds', hasHosts: true, hasState: true };

/** What has begun and has not ended. */
const IN_PROGRESS: readonly string[] = ['CREATED', 'ACTIVE', 'ERROR', 'RETRY'];

/** Messages after they were published, those that failed, and what happened to them. */
export function messageRoutes(operations: OperationCatalogue['pushedMessages']): Routes {
  const logs: Handler = async (call) => {
    const order = pushOrder(call, OF_LOGS);
    const { logs: logged, cursor } = await call.perform(operations.readMessageLogs, order);
    const events = logged.flatMap((each) => shownEvents(each, order.state));
    events.sort((one, other) => other.time - one.time);
    return { result: { events, cursor: shownCursor(cursor) } };
  };
  const letterOf = (call: QstashCall) => idOf(call, 'dlqId');
  return {
    'GET messages/:id': async (call) => ({
      result: shownMessage(await call.perform(operations.readMessage, idOf(call, 'id'))),
    }),
    'DELETE messages/:id': async (call) => {
      const { queue, id } = idOf(call, 'id');
      const { ids } = await call.perform(operations.cancelMessages, {
        queues: [queue],
        chosen: { ids: [id] },
      });
      if (ids.length === 0) throw new DomainError('job-not-found', `message ${id} not found`);
      return { status: 202, result: { cancelled: 1 } };
    },
    'DELETE messages': async (call) => {
      const order = pushOrder(call, { ids: 'messageIds', hasHosts: true, mustChoose: true });
      const { ids } = await call.perform(operations.cancelMessages, {
        ...order,
        queues: queuesOf(call, order),
      });
      return { status: 202, result: { cancelled: ids.length } };
    },
    'GET dlq': async (call) => {
      const { chosen } = pushOrder(call, OF_LETTERS);
      const { messages, cursor } = await call.perform(operations.listDeadMessages, { chosen });
      return { result: { messages: messages.map(shownLetter), cursor: shownCursor(cursor) } };
    },
    'GET dlq/:dlqId': async (call) => ({
      result: shownLetter(await call.perform(operations.readDeadMessage, letterOf(call))),
    }),
    'DELETE dlq/:dlqId': async (call) => {
      const { queue, id } = letterOf(call);
      const chosen = { ids: [id] };
      const { ids } = await call.perform(operations.removeDeadMessages, {
        queues: [queue],
        chosen,
      });
      if (ids.length === 0)
        throw new DomainError('job-not-found', `message ${id} not found in the DLQ`);
      return { result: { deleted: 1 } };
    },
    'DELETE dlq': async (call) => {
      const order = pushOrder(call, { ...OF_LETTERS, mustChoose: true });
      const input = { ...order, queues: queuesOf(call, order) };
      const { ids, cursor } = await call.perform(operations.removeDeadMessages, input);
      return { result: { deleted: ids.length, cursor: shownCursor(cursor) } };
    },
    'POST dlq/retry': async (call) => {
      const order = pushOrder(call, { ...OF_LETTERS, mustChoose: true });
      const input = { ...order, queues: queuesOf(call, order) };
      const { ids, cursor } = await call.perform(operations.retryDeadMessages, input);
      return {
        result: { responses: ids.map((messageId) => ({ messageId })), cursor: shownCursor(cursor) },
      };
    },
    'POST dlq/retry/:dlqId': async (call) => {
      const { queue, id } = letterOf(call);
      const chosen = { ids: [id] };
      const { ids } = await call.perform(operations.retryDeadMessages, { queues: [queue], chosen });
      if (ids.length === 0)
        throw new DomainError('job-not-found', `message ${id} not found in the DLQ`);
      return { result: { messageId: id } };
    },
    'GET events': logs,
    'GET logs': logs,
  };
}

/** The queue of a message that is named in the path. @throws DomainError `invalid-request`. */
function idOf({ names, queueNamed }: QstashCall, name: string) {
  const id = names[name] ?? '';
  return { id, queue: queueNamed(queueOfPush(id)) };
}

/** The queues of the ids that a client names, all of which it must be allowed to use. */
function queuesOf({ queueNamed }: QstashCall, { chosen }: PushOrder) {
  return 'ids' in chosen ? chosen.ids.map((id) => queueNamed(queueOfPush(id))) : [];
}

function shownEvents({ message, events }: LoggedPush, state: PushOrder['state']) {
  const { id, url, topic, endpointName, queue, schedule, label, headers, data, callerIp } = message;
  const isAsked = (event: PushEvent): boolean =>
    state === undefined ||
    event.state === state ||
    (state === 'IN_PROGRESS' && IN_PROGRESS.includes(event.state));
  return events.filter(isAsked).map(({ at, state: reached, error, nextDeliveryTime, status }) => ({
    time: at,
    messageId: id,
    state: reached,
    url,
    topicName: topic,
    endpointName,
    queueName: queue,
    scheduleId: schedule,
    header: headers,
    body: data,
    error,
    nextDeliveryTime,
    responseStatus: status,
    callerIP: callerIp,
    flowControlKey: message.flowControl?.key,
    ...shownLabels(label),
  }));
}
