import {
  MOST_SUBSCRIPTIONS,
  MOST_TOPICS,
  type Subscription,
} from '../../domain/topics/subscription.ts';
import type { CollectionPort } from '../ports/collection-port.ts';
import type { Collection } from './collection.ts';

/** The subscriptions, by their topics and ids, with a slash between them. */
export type KeptSubscriptions = CollectionPort<Subscription>;

export const SUBSCRIPTIONS: Collection<Subscription> = {
  kind: 'subscription',
  key: 'subscriptions',
  bound: { most: MOST_TOPICS, of: 'topics' },
  inFolder: { most: MOST_SUBSCRIPTIONS, of: 'subscriptions' },
};
