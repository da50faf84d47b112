import type { AddIdentity } from '../../domain/jobs/add-identity.ts';
import type {
  Existing,
  LackingRoom,
  LimitsOfQueues,
  QueuedJob,
} from '../../domain/transitions/add-to-queues.ts';
import type { Json } from '../../domain/values/json.ts';
import type { Natures } from './nature.ts';

/** Jobs for several queues. */
export interface AddToQueues extends LimitsOfQueues {
  readonly jobs: readonly QueuedJob[];
  /** Whether to find only what the add would, and to store nothing. */
  readonly isDryRun: boolean;
  /** Remembers the add in the same step, with what its caller needs to answer a repeat. */
  readonly once?: { readonly identity: AddIdentity; readonly origin: Json } | undefined;
}

/** The outcome of an add whose key is taken: nothing is stored. */
export type QueuesRecalled =
  | { readonly kind: 'repeated'; readonly origin: Json; readonly existing: Existing }
  /** `other`: a different add used the key. `running`: the first add is still in progress. */
  | { readonly kind: 'other' | 'running' };

/** An add that lacks room stores nothing. */
export type AddedToQueues =
  | { readonly kind: 'added'; readonly existing: Existing }
  | ({ readonly kind: 'full' } & LackingRoom)
  | QueuesRecalled;

/**
 * Stores what the messages of topics become. Methods throw DomainError `store-unavailable` when the store cannot be
 * reached.
 */
export interface TopicPort {
  /** Adds all jobs or none, each as an add to its queue does. */
  add(add: AddToQueues): Promise<AddedToQueues>;

  /** What `add` returns when the key is known; undefined when it is not. */
  recall(identity: AddIdentity): Promise<QueuesRecalled | undefined>;
}

export const TOPIC_NATURES: Natures<TopicPort> = {
  add: { is: 'adds', inPieces: true },
  recall: 'reads store',
};
