import type { Events, Subscription } from '../../../../../application/events/events.ts';
import type { Caller } from '../../../../../domain/access/caller.ts';
import { eventId } from '../../../../../domain/events/event-id.ts';
import { grantedSelection } from '../../../../../domain/events/event-ticket.ts';
import type { EventLoopTurns } from '../../messages/event-loop-turns.ts';
import { EventMessages } from '../../messages/event-messages.ts';
import {
  EVENT_STREAM_HEADERS,
  EVENT_STREAM_TYPE,
  EventStreamText,
} from '../../messages/event-stream.ts';
import {
  cursorPosition,
  eventCursor,
  EventFormat,
  idAmongAll,
  idInQueue,
  type IdText,
} from '../../messages/event-format.ts';
import { eventStreamContent } from '../../messages/operation.ts';
import type { Reply } from '../../messages/reply.ts';
import { route, type Route } from '../route.ts';
import { withoutValues } from '../shown-values.ts';
import { allEventsQuery, queueEventsQuery } from '../schemas/query-schemas.ts';

const STREAM = eventStreamContent(
  'The events, as Server-Sent Events without an end; a client that asks for a WebSocket gets one in ' +
    'their place (101), with messages `{id, event, data}`',
);

/** The events of queues, as they happen. */
export function eventRoutes(events: Events, turns: EventLoopTurns): readonly Route[] {
  const ofQueue = replies(events, idInQueue, turns);
  const ofAll = replies(events, idAmongAll, turns);
  return [
    route({
      method: 'GET',
      path: '/events',
      access: 'read',
      operationId: 'followQueues',
      tag: 'Events',
      summary: 'Follow the events of all queues, or of some',
      replies: { 200: STREAM },
      query: allEventsQuery,
      errors: ['forbidden'],
      takesTicket: true,
      takesWebSocket: true,
      resumesBehind: eventCursor,
      handle: ({ query, lastEventId = query.lastEventId, grant = {}, caller }) => {
        const { events: names, queues } = query;
        const mayUse = caller.onlyQueues;
        const selection = grantedSelection(grant, { names, queues, mayUse });
        const after = lastEventId === undefined ? undefined : cursorPosition(lastEventId);
        return ofAll(caller, { queue: undefined, selection, after });
      },
    }),
    route({
      method: 'GET',
      path: '/queues/:queue/events',
      access: 'read',
      operationId: 'followQueue',
      tag: 'Events',
      summary: 'Follow the events of a queue',
      replies: { 200: STREAM },
      query: queueEventsQuery,
      errors: ['forbidden'],
      takesTicket: true,
      takesWebSocket: true,
      resumesBehind: eventId,
      handle: ({
        parameters: { queue },
        query,
        lastEventId: id = query.lastEventId,
        grant = {},
        caller,
      }) => {
        const { events: names, job: jobId } = query;
        const selection = grantedSelection(grant, { names, jobId }, queue);
        return ofQueue(caller, {
          queue,
          selection,
          after: id === undefined ? undefined : { id, queue },
        });
      },
    }),
  ];
}

/** Replies to subscribers; those that see the same of events share the formatted ones. */
function replies(
  events: Events,
  idOf: IdText,
  turns: EventLoopTurns,
): (caller: Caller, subscription: Subscription) => Reply {
  const whole = formattedReplies(events, new EventFormat(idOf), turns);
  const valueless = formattedReplies(events, new EventFormat(idOf, withoutValues), turns);
  return (caller, subscription) => (caller.may('data') ? whole : valueless)(subscription);
}

function formattedReplies(
  events: Events,
  format: EventFormat,
  turns: EventLoopTurns,
): (subscription: Subscription) => Reply {
  const text = new EventStreamText(format, turns);
  const messages = new EventMessages(format, turns);
  return (subscription) => ({
    status: 200,
    contentType: EVENT_STREAM_TYPE,
    headers: EVENT_STREAM_HEADERS,
    openPieces: (ending) => text.pieces(events.subscribe(subscription, ending)),
    openMessages: (ending) => messages.batches(events.subscribe(subscription, ending)),
  });
}
