import type { EventOrGap } from '../../domain/queue-event.ts';
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

/** The feeds of what somebody on this replica has subscribed to: one for all subscribers of a queue, one of all. */
export class EventFeeds {
  readonly #feeds = new Map<string, { shared: Promise<SharedFeed>; users: number }>();

  /**
   * Uses the feed of a source for as long as something takes.
   *
   * @throws DomainError `store-unavailable`.
   */
  async join(source: EventSource): Promise<JoinedFeed> {
    const { name } = source;
    const entry = this.#feeds.get(name) ?? { shared: open(source), users: 0 };
    this.#feeds.set(name, entry);
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
  let tell = (events: readonly EventOrGap[]): void => void early.push(...events);
  const { after, end } = await source.follow((events) => {
    tell(events);
  });
  const feed = new EventFeed(after);
  feed.tell(early);
  tell = (events) => {
    feed.tell(events);
  };
  return { feed, end };
}
