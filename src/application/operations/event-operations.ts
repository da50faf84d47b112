import type { Caller } from '../../domain/access/caller.ts';
import { entitled, withoutValues, type Visible } from '../../domain/access/visible.ts';
import type { EventPosition } from '../../domain/events/event-position.ts';
import { grantedSelection, type EventGrant } from '../../domain/events/event-ticket.ts';
import type { EventData, EventName } from '../../domain/events/queue-event.ts';
import type { DeliveredBatch } from '../digests/delivered-batch.ts';
import type { DigestSubscription, EventDigests } from '../digests/event-digests.ts';
import type { Events, Subscription } from '../events/events.ts';
import type { InQueue } from './in-queue.ts';
import { operation } from './operation.ts';

interface FollowInput {
  /** All events by default. */
  readonly events: ReadonlySet<EventName> | undefined;
  /** Minimum time (ms) between two digests of a queue; undefined for events in their place. */
  readonly digest: number | undefined;
  /** The last event that the caller received; undefined to start with new events. */
  readonly after: EventPosition | undefined;
  /** What the ticket of the caller grants, if it has one. */
  readonly grant: EventGrant;
}

interface FollowAll extends FollowInput {
  /** Patterns of names; all queues by default. */
  readonly queues: readonly string[] | undefined;
}

interface FollowOne extends FollowInput, InQueue {
  /** The id of a job, for its events alone. */
  readonly job: string | undefined;
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
      id: 'followQueues',
      access: 'read',
      perform: (input: FollowAll, { caller }) => {
        const { events: names, queues, after, grant } = input;
        const mayUse = caller.onlyQueues;
        const selection = grantedSelection(grant, { names, queues, mayUse });
        return follow({ queue: undefined, selection, after }, input, caller);
      },
      view: followed,
    }),
    followQueue: operation({
      id: 'followQueue',
      access: 'read',
      perform: (input: FollowOne, { caller }) => {
        const { queue, events: names, job: jobId, after, grant } = input;
        const selection = grantedSelection(grant, { names, jobId }, queue);
        return follow({ queue, selection, after }, input, caller);
      },
      view: followed,
    }),
  };
}

export type EventOperations = ReturnType<typeof eventOperations>;

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
