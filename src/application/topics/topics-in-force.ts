import type { QueueName } from '../../domain/queues/queue-name.ts';
import { compiledFilter, type Matches } from '../../domain/topics/filter.ts';
import { MOST_TOPICS, type Subscription } from '../../domain/topics/subscription.ts';
import { byteOrder } from '../../domain/values/byte-order.ts';
import { keptOrMade } from '../../domain/values/kept-or-made.ts';
import { folderOf } from '../kept/collection.ts';
import { eachRecord } from '../kept/each-record.ts';
import type { KeptSubscriptions } from '../kept/subscriptions.ts';
import type { ClockPort } from '../ports/clock-port.ts';
import type { ReplicaSignalsPort } from '../ports/replica-signals-port.ts';
import { Shared } from '../running/shared.ts';
import type { Startable } from '../running/startable.ts';
import { WorkInFlight } from '../running/work-in-flight.ts';

/** For how long (ms) a topic is in force without being read again, in case a signal gets lost. */
const FRESH_FOR = 15_000;

/** How many characters the topics in memory have together: no topic has more. */
const MOST_CHARACTERS = 32_000_000;

/** How many topics are read at once: the size of a topic is known only once it is read. */
const READ_AT_ONCE = 2;

/** A subscription with its filter, prepared. */
export interface SubscriptionInForce {
  readonly subscription: Subscription;
  readonly matches: Matches;
  /** That of its record, in characters. */
  readonly size: number;
}

/** How many subscriptions each topic has for each queue. */
type Counts = ReadonlyMap<string, ReadonlyMap<QueueName, number>>;

/** The subscriptions in force on this replica, which reads those of a topic when it is first asked for them. */
export class TopicsInForce implements Startable {
  readonly name = 'topics';
  readonly #signals: ReplicaSignalsPort;
  /** Keyed by the stored object, since a store returns the same object for an unchanged record. */
  readonly #prepared = new WeakMap<Subscription, SubscriptionInForce>();
  readonly #topics: Shared<readonly SubscriptionInForce[], string>;
  readonly #counts: Shared<Counts>;
  readonly #reading = new WorkInFlight(READ_AT_ONCE);
  #endListening: (() => void) | undefined;

  constructor(
    store: Pick<KeptSubscriptions, 'ids' | 'list'>,
    signals: ReplicaSignalsPort,
    clock: Pick<ClockPort, 'now'>,
  ) {
    this.#signals = signals;
    const size = { most: MOST_CHARACTERS, of: sizeOf };
    const sharing = { freshFor: FRESH_FOR, most: MOST_TOPICS, size };
    this.#topics = new Shared(clock, sharing, (_, topic) =>
      this.#reading.run(1, () => this.#read(store, topic)),
    );
    this.#counts = new Shared(clock, { freshFor: FRESH_FOR }, () => counted(store));
  }

  start(): Promise<void> {
    this.#endListening ??= this.#signals.listen(this.name, () => {
      this.#forget();
    });
    return Promise.resolve();
  }

  stop(): Promise<void> {
    this.#endListening?.();
    return Promise.resolve();
  }

  /** By id. @throws DomainError `store-unavailable`. */
  of(topic: string): Promise<readonly SubscriptionInForce[]> {
    return this.#topics.of(topic);
  }

  /** To be called after a change of this replica: it is in force here from now on, and others read it. */
  changed(): void {
    this.#forget();
    this.#signals.send(this.name);
  }

  /** All are read for it, once for all callers. @throws DomainError `store-unavailable`. */
  counts(): Promise<Counts> {
    return this.#counts.of();
  }

  #forget(): void {
    this.#topics.forget();
    this.#counts.forget();
  }

  async #read(
    store: Pick<KeptSubscriptions, 'ids' | 'list'>,
    topic: string,
  ): Promise<readonly SubscriptionInForce[]> {
    const read: SubscriptionInForce[] = [];
    for await (const [, subscription] of eachRecord(store, await store.ids(topic))) {
      const { filter } = subscription;
      const prepare = (): SubscriptionInForce => {
        const { length } = JSON.stringify(subscription);
        return { subscription, matches: compiledFilter(filter), size: length };
      };
      read.push(keptOrMade(this.#prepared, subscription, prepare));
    }
    return read.sort((one, other) => byteOrder(one.subscription.id, other.subscription.id));
  }
}

function sizeOf(topic: readonly SubscriptionInForce[]): number {
  return topic.reduce((sum, { size }) => sum + size, 0);
}

async function counted(store: Pick<KeptSubscriptions, 'ids' | 'list'>): Promise<Counts> {
  const counts = new Map<string, Map<QueueName, number>>();
  for await (const [place, { queue }] of eachRecord(store)) {
    const ofTopic = keptOrMade(counts, folderOf(place), () => new Map<QueueName, number>());
    ofTopic.set(queue, (ofTopic.get(queue) ?? 0) + 1);
  }
  return counts;
}
