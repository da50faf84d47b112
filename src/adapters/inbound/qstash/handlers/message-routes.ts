import type { OperationCatalogue } from '../../../../application/operation-catalogue.ts';
import type { Operation } from '../../../../application/operations/operation.ts';
import type { ChosenInput } from '../../../../application/operations/pushed-message-operations.ts';
import type { FoundPushes } from '../../../../application/pushes/push-pages.ts';
import type { ShownPush } from '../../../../application/pushes/shown-push.ts';
import { DomainError } from '../../../../domain/errors.ts';
import { queueOfPush } from '../../../../domain/messages/push-id.ts';
import { cursorText } from '../../../shared/cursor-text.ts';
import { pushOrder, type OrderTerms, type PushOrder } from '../fields/order-fields.ts';
import { shownLetter, shownLogged, shownMessage } from '../fields/shown-message.ts';
import type { Handler, QstashCall, Routes } from './handler.ts';

const OF_LETTERS: OrderTerms = { ids: 'dlqIds', fields: { responseStatus: 'responseStatus' } };
const OF_CHANGES: OrderTerms = { ...OF_LETTERS, mustChoose: true };
const OF_HOSTS = { host: 'host', path: 'path' } as const;
const OF_CANCELS: OrderTerms = { ids: 'messageIds', fields: OF_HOSTS, most: [500, Infinity] };
const OF_LOGS: OrderTerms = { ids: 'messageIds', fields: OF_HOSTS, hasState: true };

/** What has begun and has not ended. */
const IN_PROGRESS: readonly string[] = ['CREATED', 'ACTIVE', 'ERROR', 'RETRY'];

/** Messages after they were published, those that failed, and what happened to them. */
export function messageRoutes(operations: OperationCatalogue['pushedMessages']): Routes {
  const { readMessages, cancelMessages, readMessageLogs } = operations;
  const { readDeadMessages, removeDeadMessages, retryDeadMessages } = operations;
  const letters = (found: readonly ShownPush[]) => ({ messages: found.map(shownLetter) });
  const cancelled = ({ length }: readonly string[]) => ({ cancelled: length });
  const deleted = ({ length }: readonly string[]) => ({ deleted: length });
  const retried = (ids: readonly string[]) => ({ responses: ids.map(ofId) });
  const ofId = (messageId: string) => ({ messageId });
  const logs = several(readMessageLogs, OF_LOGS, shownEvents);
  return {
    'GET messages/:id': one(readMessages, shownMessage),
    'DELETE messages/:id': one(cancelMessages, () => ({ cancelled: 1 }), 202),
    'DELETE messages': several(cancelMessages, OF_CANCELS, cancelled, 202),
    'GET dlq': several(readDeadMessages, OF_LETTERS, letters),
    'GET dlq/:id': one(readDeadMessages, shownLetter),
    'DELETE dlq/:id': one(removeDeadMessages, () => ({ deleted: 1 })),
    'DELETE dlq': several(removeDeadMessages, OF_CHANGES, deleted),
    'POST dlq/retry': several(retryDeadMessages, OF_CHANGES, retried),
    'POST dlq/retry/:id': one(retryDeadMessages, ofId),
    'GET events': logs,
    'GET logs': logs,
  };
}

type Finds<Found> = Operation<ChosenInput, FoundPushes<Found>>;

/** The message that is named in the path. */
function one<Found>(
  operation: Finds<Found>,
  shown: (found: Found) => object,
  status = 200,
): Handler {
  return async (call) => {
    const id = call.names['id'] ?? '';
    const { found } = await call.perform(operation, inputOf(call, { ids: [id] }));
    const [first] = found;
    if (first === undefined) throw new DomainError('job-not-found', `message ${id} not found`);
    return { status, result: shown(first) };
  };
}

/** The messages that a request is about, and where those that follow begin. */
function several<Found>(
  operation: Finds<Found>,
  terms: OrderTerms,
  shown: (found: readonly Found[], state: PushOrder['state']) => object,
  status = 200,
): Handler {
  return async (call) => {
    const { chosen, state } = pushOrder(call, terms);
    const { found, cursor } = await call.perform(operation, inputOf(call, chosen));
    return { status, result: { ...shown(found, state), cursor: cursor && cursorText(cursor) } };
  };
}

/** @throws DomainError `invalid-request` for an id that can be none. */
function inputOf(call: QstashCall, chosen: ChosenInput['chosen']): ChosenInput {
  const ids = 'ids' in chosen ? chosen.ids : [];
  return { chosen, queues: ids.map((id) => call.queueNamed(queueOfPush(id))) };
}

function shownEvents(messages: readonly ShownPush[], asked: PushOrder['state']) {
  const states = asked === 'IN_PROGRESS' ? IN_PROGRESS : [asked];
  const events = messages.flatMap((message) => {
    const of = shownLogged(message);
    return (message.events ?? [])
      .filter(({ state }) => asked === undefined || states.includes(state))
      .map(({ at, status, ...event }) => ({ ...of, ...event, time: at, responseStatus: status }));
  });
  return { events: events.sort((one, other) => other.time - one.time) };
}
