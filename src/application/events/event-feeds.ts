import { keptOrMade } from '../../domain/values/kept-or-made.ts';
import type { EventOrGap } from '../../domain/events/queue-event.ts';
import { EventFeed } from './event-feed.ts';
import type { EventSource } from './event-source.ts';

interface SharedFeed {
  readonly feed: EventFeed;
  readonly end: () => void;
}

export interface JoinedFeed {
  readonly feed: EventFeed;
  readonly leave: () => void;
}

/** The feeds with subscribers on this replica: one for each queue, and one for all queues together. */
export class EventFeeds {
  readonly #feeds = new Map<string, { shared: Promise<SharedFeed>; users: number }>();

  /**
   * Joins the feed of a source, which is open until its last user leaves.
   *
   * @throws DomainError `store-unavailable`.
   */
  async join(source: EventSource): Promise<JoinedFeed> {
    const { name } = source;
    const entry = keptOrMade(this.#feeds, name, () => ({ shared: open(source), users: 0 }));
    entry.users += 1;
    const leave = (): void => {
      entry.users -= 1;
      if (entry.users > 0) return;
      if (this.#feeds.get(name) === entry) this.#feeds.delete(name);
      entry.shared.then(
        ({ end }) => {
          end();
        },
        () => undefined,
      );
    };
    try {
      const { feed } = await entry.shared;
      return { feed, leave };
    } catch (error) {
      leave();
      throw error;
    }
  }
}

async function open(source: EventSource): Promise<SharedFeed> {
  const early: EventOrGap[] = [];
  let deliver = (events: readonly EventOrGap[]): void => void early.push(...events);
  const { after, end } = await source.subscribe((events) => {
    deliver(events);
  });
  const feed = new EventFeed(after);
  feed.publish(early);
  deliver = (events) => {
    feed.publish(events);
  };
  return { feed, end };
}
