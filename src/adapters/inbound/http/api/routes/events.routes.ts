import type { Events } from '../../../../../application/events/events.ts';
import { eventId } from '../../../../../domain/event-id.ts';
import { grantedSelection } from '../../../../../domain/event-ticket.ts';
import { EventMessages } from '../../messages/event-messages.ts';
import {
  EVENT_STREAM_HEADERS,
  EVENT_STREAM_TYPE,
  EventStreamText,
} from '../../messages/event-stream.ts';
import { eventStreamContent } from '../../messages/operation.ts';
import { route, type Route } from '../route.ts';
import { queueEventsQuery } from '../schemas/query-schemas.ts';

/** What happens in queues, as it happens. */
export function eventRoutes(events: Events): readonly Route[] {
  const text = new EventStreamText();
  const messages = new EventMessages();
  return [
    route({
      method: 'GET',
      path: '/queues/:queue/events',
      auth: 'api',
      operationId: 'followQueue',
      tag: 'Events',
      summary: 'Follow what happens in a queue',
      replies: {
        200: eventStreamContent(
          'The events, as Server-Sent Events without an end; a client that asks for a WebSocket gets one in ' +
            'their place (101), with messages `{id, event, data}`',
        ),
      },
      query: queueEventsQuery,
      errors: ['forbidden'],
      takesTicket: true,
      takesWebSocket: true,
      resumesBehind: eventId,
      handle: ({ parameters: { queue }, query, lastEventId, grant = {} }) => {
        const { events: names, job: jobId, lastEventId: given } = query;
        const selection = grantedSelection(grant, queue, { names, jobId });
        const subscription = { queue, selection, after: lastEventId ?? given };
        return {
          status: 200,
          contentType: EVENT_STREAM_TYPE,
          headers: EVENT_STREAM_HEADERS,
          follow: (ending) => text.pieces(events.follow(subscription, ending)),
          messages: (ending) => messages.batches(events.follow(subscription, ending)),
        };
      },
    }),
  ];
}
