import type { EventOrGap } from '../../domain/queue-event.ts';
import type { QueueName } from '../../domain/queue-name.ts';
import type { EventFollowing, EventPort } from '../ports/event-port.ts';
import { EventFeed } from './event-feed.ts';

interface SharedFeed {
  readonly feed: EventFeed;
  readonly following: EventFollowing;
}

export interface JoinedFeed {
  readonly feed: EventFeed;
  readonly leave: () => void;
}

/** The feeds of the queues that somebody on this replica has subscribed to: one for all subscribers of a queue. */
export class EventFeeds {
  readonly #events: EventPort;
  readonly #feeds = new Map<QueueName, { shared: Promise<SharedFeed>; users: number }>();

  constructor(events: EventPort) {
    this.#events = events;
  }

  /**
   * Uses the feed of a queue for as long as something takes.
   *
   * @throws DomainError `store-unavailable`.
   */
  async join(queue: QueueName): Promise<JoinedFeed> {
    const entry = this.#feeds.get(queue) ?? { shared: this.#open(queue), users: 0 };
    this.#feeds.set(queue, entry);
    entry.users += 1;
    const leave = (): void => {
      entry.users -= 1;
      if (entry.users > 0) return;
      if (this.#feeds.get(queue) === entry) this.#feeds.delete(queue);
      entry.shared.then(
        ({ following }) => following.end(),
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

  async #open(queue: QueueName): Promise<SharedFeed> {
    const early: EventOrGap[] = [];
    let tell = (events: readonly EventOrGap[]): void => void early.push(...events);
    const following = await this.#events.follow(queue, (events) => {
      tell(events);
    });
    const feed = new EventFeed(following.after);
    feed.tell(early);
    tell = (events) => {
      feed.tell(events);
    };
    return { feed, following };
  }
}
