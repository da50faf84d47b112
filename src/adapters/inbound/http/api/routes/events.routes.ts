import type {
  EventOperations,
  FollowedEvents,
  ShowEvent,
} from '../../../../../application/operations/event-operations.ts';
import { eventId } from '../../../../../domain/events/event-id.ts';
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
import { allEventsQuery, queueEventsQuery } from '../schemas/query-schemas.ts';

const STREAM = eventStreamContent(
  'The events, as Server-Sent Events without an end; a client that asks for a WebSocket gets one in ' +
    'their place (101), with messages `{id, event, data}`',
);

/** The events of queues, as they happen. */
export function eventRoutes(events: EventOperations, turns: EventLoopTurns): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/events',
      operation: events.followQueues,
      tag: 'Events',
      summary: 'Follow the events of all queues, or of some',
      description:
        'Server-sent events, or messages over a WebSocket. With `digest` a client gets counts ' +
        'instead of single events, however many there are.',
      replies: { 200: STREAM },
      query: allEventsQuery,
      errors: ['forbidden', 'upgrade-required'],
      takesTicket: true,
      takesWebSocket: true,
      resumesBehind: eventCursor,
      input: ({ query, lastEventId = query.lastEventId, grant = {} }) => {
        const { events: names, queues, digest } = query;
        const after = lastEventId === undefined ? undefined : cursorPosition(lastEventId);
        return { events: names, queues, digest, after, grant };
      },
      reply: replies(idAmongAll, turns),
    }),
    route({
      method: 'GET',
      path: '/queues/:queue/events',
      operation: events.followQueue,
      tag: 'Events',
      summary: 'Follow the events of a queue',
      description:
        'Server-sent events, or messages over a WebSocket. A client that connects again with the ' +
        'last id misses nothing that is still kept; otherwise it gets a `gap`.',
      replies: { 200: STREAM },
      query: queueEventsQuery,
      errors: ['forbidden', 'upgrade-required'],
      takesTicket: true,
      takesWebSocket: true,
      resumesBehind: eventId,
      input: ({
        parameters: { queue },
        query,
        lastEventId: id = query.lastEventId,
        grant = {},
      }) => {
        const { events: names, job, digest } = query;
        const after = id === undefined ? undefined : { id, queue };
        return { queue, events: names, job, digest, after, grant };
      },
      reply: replies(idInQueue, turns),
    }),
  ];
}

/** The two ways to write events, for all callers that may see the same details: they share what is written. */
interface Forms {
  readonly text: EventStreamText;
  readonly messages: EventMessages;
}

/** Replies to subscribers. */
function replies(idOf: IdText, turns: EventLoopTurns): (followed: FollowedEvents) => Reply {
  const known = new Map<ShowEvent, Forms>();
  const formsFor = (show: ShowEvent): Forms => {
    const format = new EventFormat(idOf, show);
    const forms = {
      text: new EventStreamText(format, turns),
      messages: new EventMessages(format, turns),
    };
    known.set(show, forms);
    return forms;
  };
  return ({ follow, show }) => {
    const { text, messages } = known.get(show) ?? formsFor(show);
    return {
      status: 200,
      contentType: EVENT_STREAM_TYPE,
      headers: EVENT_STREAM_HEADERS,
      openPieces: (ending) => text.pieces(follow(ending)),
      openMessages: (ending) => messages.batches(follow(ending)),
    };
  };
}
