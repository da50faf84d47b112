import type { EventDigest } from '../../domain/digests/event-digest.ts';
import type { EventPosition } from '../../domain/events/event-position.ts';
import {
  eventFilter,
  type EventName,
  type EventSelection,
} from '../../domain/events/queue-event.ts';
import type { ClockPort } from '../ports/clock-port.ts';
import type { BlockedQueues } from '../queues/blocked-queues.ts';
import { listedQueue } from '../queues/listed-queue.ts';
import { NOTHING, type QueueView, type ViewedQueue } from '../queues/queue-view.ts';
import { CountedEvents, type QueueHappenings } from './counted-events.ts';
import type { EventBatch } from '../events/event-batch.ts';
import type { DeliveredBatch } from './delivered-batch.ts';
import type { Events, Subscription } from '../events/events.ts';

/** What a subscriber to digests wants. */
export interface DigestSubscription {
  /** Whose events are counted, whatever their names and their jobs. */
  readonly subscription: Subscription;
  /** The events that come beside the digests; undefined for none. */
  readonly beside: EventSelection | undefined;
  /** The names that are counted; all unless given. */
  readonly counted: ReadonlySet<EventName> | undefined;
  /** Least time (ms) between two digests of a queue. */
  readonly interval: number;
}

/**
 * Tells subscribers what happens in queues as counts, so that a page costs the same however much happens (platform
 * contract, section 10).
 */
export class EventDigests {
  readonly #events: Events;
  readonly #view: QueueView;
  readonly #blocked: BlockedQueues;
  readonly #clock: ClockPort;

  constructor(events: Events, view: QueueView, blocked: BlockedQueues, clock: ClockPort) {
    this.#events = events;
    this.#view = view;
    this.#blocked = blocked;
    this.#clock = clock;
  }

  /**
   * Yields digests of the queues in which something happened, an interval after the first event that they count, and
   * the events beside them as they come. It resumes behind the last digest: one that was not received is made again,
   * except that events of its queue before that position are not counted twice. Signs of life are those of the events.
   *
   * @param ending ends the subscription.
   * @throws DomainError `store-unavailable`.
   */
  async *subscribe(
    { subscription, beside, counted, interval }: DigestSubscription,
    ending: AbortSignal,
  ): AsyncGenerator<DeliveredBatch, undefined> {
    const isBeside = beside && (eventFilter(beside) ?? (() => true));
    const happenings = new CountedEvents(counted);
    const batches = this.#events.subscribe(subscription, ending);
    let delivered: EventPosition | undefined;
    let next = batches.next();
    let due: Promise<undefined> | undefined;
    try {
      for (;;) {
        const read = await Promise.race(due === undefined ? [next] : [due, next]);
        if (ending.aborted || read?.done === true) return undefined;
        if (read === undefined) {
          due = undefined;
          const digests = await this.#digests(happenings.take());
          delivered = digests.at(-1)?.position ?? delivered;
          if (delivered !== undefined) yield { events: digests, last: delivered };
          continue;
        }
        next = batches.next();
        const batch: EventBatch = read.value;
        happenings.count(batch.events);
        if (!happenings.isEmpty) due ??= this.#after(interval, ending);
        if (due === undefined) delivered = batch.last;
        const events = isBeside === undefined ? [] : batch.events.filter(isBeside);
        const isSignOfLife = batch.events.length === 0;
        // A client resumes from a sign of life: it must not be ahead of what a digest still has to count.
        if (isSignOfLife) yield { events: [], last: delivered ?? batch.last };
        else if (events.length > 0) yield { events, last: batch.last };
      }
    } finally {
      await batches.return(undefined);
    }
  }

  async #after(interval: number, ending: AbortSignal): Promise<undefined> {
    await this.#clock.sleep(interval, ending);
    return undefined;
  }

  /** A queue that is gone meanwhile has nothing. */
  async #digests(happenings: readonly QueueHappenings[]): Promise<readonly EventDigest[]> {
    const now = this.#clock.now();
    const viewed = await this.#view.of(happenings.map(({ queue }) => queue));
    const reasons = await this.#blocked.reasons(viewed);
    const states = new Map(
      viewed.map((each, index) => [each.queue, { each, blocked: reasons[index] ?? null }]),
    );
    return happenings.map(({ queue, happened, position }) => {
      const gone: ViewedQueue = { queue, glance: NOTHING, worker: undefined };
      const { each, blocked } = states.get(queue) ?? { each: gone, blocked: null };
      const { counts, oldestWaiting } = listedQueue(each, now);
      const data = { queue, timestamp: now, happened, counts, oldestWaiting, blocked };
      return { position, name: 'digest', data };
    });
  }
}
