import type { DeliveredBatch } from '../../../../../application/digests/delivered-batch.ts';
import type {
  DigestSubscription,
  EventDigests,
} from '../../../../../application/digests/event-digests.ts';
import type { Events, Subscription } from '../../../../../application/events/events.ts';
import type { Caller } from '../../../../../domain/access/caller.ts';
import { eventId } from '../../../../../domain/events/event-id.ts';
import { grantedSelection, type EventGrant } from '../../../../../domain/events/event-ticket.ts';
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
export function eventRoutes(
  events: Events,
  digests: EventDigests,
  turns: EventLoopTurns,
): readonly Route[] {
  const ofQueue = replies({ events, digests }, idInQueue, turns);
  const ofAll = replies({ events, digests }, idAmongAll, turns);
  return [
    route({
      method: 'GET',
      path: '/events',
      access: 'read',
      operationId: 'followQueues',
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
      handle: ({ query, lastEventId = query.lastEventId, grant = {}, caller }) => {
        const { events: names, queues, digest } = query;
        const mayUse = caller.onlyQueues;
        const selection = grantedSelection(grant, { names, queues, mayUse });
        const after = lastEventId === undefined ? undefined : cursorPosition(lastEventId);
        return ofAll(caller, { queue: undefined, selection, after }, grant, digest);
      },
    }),
    route({
      method: 'GET',
      path: '/queues/:queue/events',
      access: 'read',
      operationId: 'followQueue',
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
      handle: ({
        parameters: { queue },
        query,
        lastEventId: id = query.lastEventId,
        grant = {},
        caller,
      }) => {
        const { events: names, job: jobId, digest } = query;
        const selection = grantedSelection(grant, { names, jobId }, queue);
        const after = id === undefined ? undefined : { id, queue };
        return ofQueue(caller, { queue, selection, after }, grant, digest);
      },
    }),
  ];
}

type ReplyTo<Wanted> = (wanted: Wanted) => Reply;

/** Replies to subscribers. Subscribers that may see the same details share the formatted events. */
function replies(
  { events, digests }: { readonly events: Events; readonly digests: EventDigests },
  idOf: IdText,
  turns: EventLoopTurns,
): (
  caller: Caller,
  subscription: Subscription,
  grant: EventGrant,
  digest: number | undefined,
) => Reply {
  const inFormat = (format: EventFormat): FormattedReplies => ({
    ofEvents: formatted(format, turns, (wanted, ending) => events.subscribe(wanted, ending)),
    ofDigests: formatted(format, turns, (wanted, ending) => digests.subscribe(wanted, ending)),
  });
  const whole = inFormat(new EventFormat(idOf));
  const valueless = inFormat(new EventFormat(idOf, withoutValues));
  return (caller, subscription, grant, interval) => {
    const { ofEvents, ofDigests } = caller.may('data') ? whole : valueless;
    if (interval === undefined) return ofEvents(subscription);
    const mayUse = caller.onlyQueues;
    return ofDigests({ ...digestOf(subscription, grant), interval, mayUse });
  };
}

interface FormattedReplies {
  readonly ofEvents: ReplyTo<Subscription>;
  readonly ofDigests: ReplyTo<DigestSubscription>;
}

/** A digest counts the events of whole queues; the names and the job only select the events beside it. */
function digestOf(
  { selection, ...subscription }: Subscription,
  { events }: EventGrant,
): Omit<DigestSubscription, 'interval'> {
  const { queues, mayUse, jobId } = selection;
  return {
    subscription: { ...subscription, selection: { queues, mayUse } },
    beside: jobId === undefined ? undefined : selection,
    counted: events && new Set(events),
  };
}

function formatted<Wanted>(
  format: EventFormat,
  turns: EventLoopTurns,
  subscribe: (wanted: Wanted, ending: AbortSignal) => AsyncIterable<DeliveredBatch>,
): ReplyTo<Wanted> {
  const text = new EventStreamText(format, turns);
  const messages = new EventMessages(format, turns);
  return (wanted) => ({
    status: 200,
    contentType: EVENT_STREAM_TYPE,
    headers: EVENT_STREAM_HEADERS,
    openPieces: (ending) => text.pieces(subscribe(wanted, ending)),
    openMessages: (ending) => messages.batches(subscribe(wanted, ending)),
  });
}
