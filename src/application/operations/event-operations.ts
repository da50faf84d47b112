import type { Caller } from '../../domain/access/caller.ts';
import { entitled, withoutValues, type Visible } from '../../domain/access/visible.ts';
import type { EventPosition } from '../../domain/events/event-position.ts';
import { grantedSelection, type EventGrant } from '../../domain/events/event-ticket.ts';
import type { EventData } from '../../domain/events/queue-event.ts';
import { optional, string } from '../../domain/values/shape.ts';
import type { DeliveredBatch } from '../digests/delivered-batch.ts';
import type { DigestSubscription, EventDigests } from '../digests/event-digests.ts';
import type { Events, Subscription } from '../events/events.ts';
import { ofQueue } from './in-queue.ts';
import { given } from './input.ts';
import { operation } from './operation.ts';
import { patternList, eventList, digestOption, textOption } from './options.ts';
import { content } from './out.ts';

/** What the way in knows of a caller that follows events. */
const since = {
  /** The last event that the caller received; undefined to start with new events. */
  after: given<EventPosition | undefined>(),
  /** What the ticket of the caller grants, if it has one. */
  grant: given<EventGrant>(),
};

const STREAM = content(
  'The events, as Server-Sent Events without an end; a client that asks for a WebSocket gets one in ' +
    'their place (101), with messages `{id, event, data}`',
);

interface FollowInput {
  readonly digest: number | undefined;
  readonly grant: EventGrant;
}

/** Begins to deliver events. They end soon after the signal aborts. */
type Follow = (ending: AbortSignal) => AsyncIterable<DeliveredBatch>;

/** The details of an event that its caller may see. */
export type ShowEvent = (data: EventData) => Visible<Partial<EventData>>;

/** The events that a caller follows. Events are shared by many callers, so each is shown only as it is written. */
export interface FollowedEvents {
  readonly follow: Follow;
  /** The same function for all callers that see the same. */
  readonly show: ShowEvent;
}

/** The events of queues, as they happen. */
export function eventOperations(events: Events, digests: EventDigests) {
  const follow = (
    subscription: Subscription,
    { digest: interval, grant }: FollowInput,
    caller: Caller,
  ): Follow => {
    if (interval === undefined) return (ending) => events.subscribe(subscription, ending);
    const mayUse = caller.onlyQueues;
    const wanted = { ...digestOf(subscription, grant), interval, mayUse };
    return (ending) => digests.subscribe(wanted, ending);
  };

  return {
    followQueues: operation({
      access: 'read',
      summary: 'Follow the events of all queues, or of some',
      description:
        'Server-sent events, or messages over a WebSocket. With `digest` a client gets counts ' +
        'instead of single events, however many there are.',
      in: {
        queues: patternList(),
        events: eventList(),
        digest: digestOption(),
        ...since,
      },
      out: STREAM,
      errors: ['forbidden'],
      perform: (input, { caller }) => {
        const { events: names, queues, after, grant } = input;
        const mayUse = caller.onlyQueues;
        const selection = grantedSelection(grant, { names, queues, mayUse });
        return follow({ queue: undefined, selection, after }, input, caller);
      },
      view: followed,
    }),
    followQueue: operation({
      access: 'read',
      summary: 'Follow the events of a queue',
      description:
        'Server-sent events, or messages over a WebSocket. A client that connects again with the ' +
        'last id misses nothing that is still kept; otherwise it gets a `gap`.',
      in: {
        ...ofQueue,
        events: eventList(),
        digest: digestOption(),
        job: textOption(optional(string, 'The id of a job, to receive only its events')),
        ...since,
      },
      out: STREAM,
      errors: ['forbidden'],
      perform: (input, { caller }) => {
        const { queue, events: names, job: jobId, after, grant } = input;
        const selection = grantedSelection(grant, { names, jobId }, queue);
        return follow({ queue, selection, after }, input, caller);
      },
      view: followed,
    }),
  };
}

function followed(follow: Follow, caller: Caller): FollowedEvents {
  return { follow, show: caller.may('data') ? entitled : withoutValues };
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
