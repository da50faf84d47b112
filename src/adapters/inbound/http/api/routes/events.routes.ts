import type { Events, Subscription } from '../../../../../application/events/events.ts';
import { eventId } from '../../../../../domain/event-id.ts';
import { grantedSelection } from '../../../../../domain/event-ticket.ts';
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
  EventWords,
  idAmongAll,
  idInQueue,
} from '../../messages/event-words.ts';
import { eventStreamContent } from '../../messages/operation.ts';
import type { Reply } from '../../messages/reply.ts';
import { route, type Route } from '../route.ts';
import { allEventsQuery, queueEventsQuery } from '../schemas/query-schemas.ts';

const STREAM = eventStreamContent(
  'The events, as Server-Sent Events without an end; a client that asks for a WebSocket gets one in ' +
    'their place (101), with messages `{id, event, data}`',
);

/** What happens in queues, as it happens. */
export function eventRoutes(events: Events, turns: EventLoopTurns): readonly Route[] {
  const ofQueue = replies(events, new EventWords(idInQueue), turns);
  const ofAll = replies(events, new EventWords(idAmongAll), turns);
  return [
    route({
      method: 'GET',
      path: '/events',
      auth: 'api',
      operationId: 'followQueues',
      tag: 'Events',
      summary: 'Follow what happens in all queues, or in some',
      replies: { 200: STREAM },
      query: allEventsQuery,
      errors: ['forbidden'],
      takesTicket: true,
      takesWebSocket: true,
      resumesBehind: eventCursor,
      handle: ({ query, lastEventId = query.lastEventId, grant = {} }) => {
        const { events: names, queues } = query;
        const selection = grantedSelection(grant, { names, queues });
        const after = lastEventId === undefined ? undefined : cursorPosition(lastEventId);
        return ofAll({ queue: undefined, selection, after });
      },
    }),
    route({
      method: 'GET',
      path: '/queues/:queue/events',
      auth: 'api',
      operationId: 'followQueue',
      tag: 'Events',
      summary: 'Follow what happens in a queue',
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
      }) => {
        const { events: names, job: jobId } = query;
        const selection = grantedSelection(grant, { names, jobId }, queue);
        return ofQueue({ queue, selection, after: id === undefined ? undefined : { id, queue } });
      },
    }),
  ];
}

/** What replies to subscribers, who all share what is worded for any. */
function replies(
  events: Events,
  words: EventWords,
  turns: EventLoopTurns,
): (subscription: Subscription) => Reply {
  const text = new EventStreamText(words, turns);
  const messages = new EventMessages(words, turns);
  return (subscription) => ({
    status: 200,
    contentType: EVENT_STREAM_TYPE,
    headers: EVENT_STREAM_HEADERS,
    follow: (ending) => text.pieces(events.follow(subscription, ending)),
    messages: (ending) => messages.batches(events.follow(subscription, ending)),
  });
}
