import type { Caller } from '../../domain/access/caller.ts';
import { invalidRequest, notFound } from '../../domain/errors.ts';
import { compiledFilter } from '../../domain/topics/filter.ts';
import {
  shownSubscription,
  subscriptionName,
  topicName,
  type Subscription,
  type SubscriptionInput,
} from '../../domain/topics/subscription.ts';
import { byteOrder } from '../../domain/values/byte-order.ts';
import { checkShape } from '../../domain/values/check-shape.ts';
import { integer, object, required, type Shaped } from '../../domain/values/shape.ts';
import { folderOf } from '../kept/collection.ts';
import { eachRecord } from '../kept/each-record.ts';
import type { KeptSubscriptions } from '../kept/subscriptions.ts';
import type { CalledOptions } from '../destinations/called-options.ts';
import type { PoliciesInForce } from '../policies/policies.ts';
import type { TopicsInForce } from './topics-in-force.ts';

export interface SubscriptionsDependencies {
  readonly subscriptions: KeptSubscriptions;
  readonly topicsInForce: Pick<TopicsInForce, 'of' | 'counts' | 'changed'>;
  readonly policies: Pick<PoliciesInForce, 'areKnown' | 'known'>;
  readonly calledOptions: Pick<CalledOptions, 'prepared'>;
}

/** A topic, and how many subscriptions it has. */
export const listedTopicShape = object('ListedTopic', {
  topic: required(topicName, 'Its name'),
  subscriptions: required(integer(1), 'How many subscriptions it has'),
});

export type ListedTopic = Shaped<typeof listedTopicShape>;

/**
 * The operations of clients on the subscriptions of topics (further contract, section 23). Those for queues beyond a
 * caller are not found.
 */
export class Subscriptions {
  readonly #store: KeptSubscriptions;
  readonly #inForce: SubscriptionsDependencies['topicsInForce'];
  readonly #policies: SubscriptionsDependencies['policies'];
  readonly #calledOptions: SubscriptionsDependencies['calledOptions'];

  constructor(dependencies: SubscriptionsDependencies) {
    this.#store = dependencies.subscriptions;
    this.#inForce = dependencies.topicsInForce;
    this.#policies = dependencies.policies;
    this.#calledOptions = dependencies.calledOptions;
  }

  /**
   * Stores a subscription in place of any other of its id. With `isDryRun` nothing is stored.
   *
   * @throws DomainError `invalid-request` naming the field, `forbidden`, or `too-many-topics`.
   */
  async put(
    topic: string,
    id: string,
    input: SubscriptionInput,
    caller: Caller,
    isDryRun: boolean,
  ): Promise<Subscription> {
    const made = await this.#checked(topic, id, input);
    const make = (before: Subscription | undefined): Subscription => {
      if (before !== undefined) caller.requireQueue(before.queue);
      return made;
    };
    const place = `${topic}/${id}`;
    if (isDryRun) return shownSubscription(make(await this.#store.find(place)));
    const stored = await this.#store.put(place, make);
    this.#inForce.changed();
    return shownSubscription(stored ?? made);
  }

  /** The topics with subscriptions that the caller may see, by name. */
  async topics(caller: Caller): Promise<readonly ListedTopic[]> {
    const counts = new Map<string, number>();
    const count = (topic: string, subscriptions: number): void => {
      counts.set(topic, (counts.get(topic) ?? 0) + subscriptions);
    };
    const isSeen = caller.onlyQueues;
    if (isSeen === undefined) for (const id of await this.#store.ids()) count(folderOf(id), 1);
    else {
      for (const [topic, queues] of await this.#inForce.counts()) {
        for (const [queue, subscriptions] of queues) if (isSeen(queue)) count(topic, subscriptions);
      }
    }
    return Array.from(counts, ([topic, subscriptions]) => ({ topic, subscriptions })).sort(
      (one, other) => byteOrder(one.topic, other.topic),
    );
  }

  /** Those that the caller may see, by id. @throws DomainError `topic-not-found`. */
  async list(topic: string, caller: Caller): Promise<readonly Subscription[]> {
    const seen = (await this.#inForce.of(topic)).filter(({ subscription: { queue } }) =>
      caller.mayUse(queue),
    );
    if (seen.length === 0) throw notFound('topic');
    return seen.map(({ subscription }) => shownSubscription(subscription));
  }

  /** @throws DomainError `subscription-not-found`. */
  async read(topic: string, id: string, caller: Caller): Promise<Subscription> {
    const found = await this.#store.find(`${topic}/${id}`);
    if (found === undefined || !caller.mayUse(found.queue)) throw notFound('subscription');
    return shownSubscription(found);
  }

  /** Whether the caller may use the queue of a subscription; undefined when there is none at that place. */
  async isReached(place: string, caller: Caller): Promise<boolean | undefined> {
    const found = await this.#store.find(place);
    return found && caller.mayUse(found.queue);
  }

  /** @throws DomainError `subscription-not-found` or `forbidden`. */
  async remove(topic: string, id: string, caller: Caller): Promise<void> {
    const place = `${topic}/${id}`;
    const found = await this.#store.find(place);
    if (found !== undefined) caller.requireQueue(found.queue);
    if (!(await this.#store.remove(place))) throw notFound('subscription');
    this.#inForce.changed();
  }

  /** Removes a topic with all its subscriptions. @throws DomainError `topic-not-found` or `forbidden`. */
  async removeTopic(topic: string, caller: Caller): Promise<void> {
    const places = await this.#store.ids(topic);
    if (places.length === 0) throw notFound('topic');
    for await (const [, { queue }] of eachRecord(this.#store, places)) caller.requireQueue(queue);
    for (const place of places) await this.#store.remove(place);
    this.#inForce.changed();
  }

  async #checked(topic: string, id: string, input: SubscriptionInput): Promise<Subscription> {
    checkShape(topicName, topic, 'topic');
    checkShape(subscriptionName, id, 'id');
    const { queue, filter, opts, endpoint, onFull = 'refuse', paused = false } = input;
    compiledFilter(filter);
    if (endpoint !== undefined && opts?.endpoint !== undefined) {
      throw invalidRequest('endpoint must be left out beside opts.endpoint', 'endpoint');
    }
    if (!this.#policies.areKnown) await this.#policies.known();
    const called = endpoint && this.#calledOptions.prepared(queue, { endpoint }, '');
    return {
      id,
      queue,
      ...(filter && { filter }),
      ...(opts && { opts: this.#calledOptions.prepared(queue, opts, 'opts') }),
      ...called,
      onFull,
      paused,
    };
  }
}
