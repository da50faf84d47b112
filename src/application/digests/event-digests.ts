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

/** The request of a subscriber to digests. */
export interface DigestSubscription {
  /** The queues whose events are counted, regardless of event names and jobs. */
  readonly subscription: Subscription;
  /** The events to deliver besides the digests; undefined for none. */
  readonly beside: EventSelection | undefined;
  /** The names to count; all by default. */
  readonly counted: ReadonlySet<EventName> | undefined;
  /** Minimum time (ms) between two digests of a queue. */
  readonly interval: number;
  /** Which queues the subscriber may use; all by default. */
  readonly mayUse?: ((queue: string) => boolean) | undefined;
}

/**
 * Reports the events of queues to subscribers as counts, so that the cost for a page does not depend on the number of
 * events (platform contract, section 10).
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
   * Yields digests of the queues with new events, each an interval after the first event that it counts, as well as the
   * requested events as they occur. It resumes after the last digest: a digest that was not received is made again, but
   * without the events of its queue before that position. Heartbeats are those of the event stream.
   *
   * @param ending ends the subscription.
   * @throws DomainError `store-unavailable`.
   */
  async *subscribe(
    { subscription, beside, counted, interval, mayUse }: DigestSubscription,
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
          const digests = await this.#digests(happenings.take(), mayUse);
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
        // A client resumes from a heartbeat, which must not be ahead of events that a digest has yet to count.
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

  /** A queue that was removed in the meantime has an empty state. */
  async #digests(
    happenings: readonly QueueHappenings[],
    mayUse: DigestSubscription['mayUse'],
  ): Promise<readonly EventDigest[]> {
    const now = this.#clock.now();
    const viewed = await this.#view.of(happenings.map(({ queue }) => queue));
    const reasons = await this.#blocked.reasons(viewed, mayUse);
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
