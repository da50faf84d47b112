import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import { ACCEPTANCES, ACCEPTED } from './acceptance-keys.ts';
import { ownKey } from './own-keys.ts';
import { EXPIRING, EXPIRING_QUEUES } from './expiry-keys.ts';
import { QUEUES_IN_TURNS } from './group-keys.ts';
import { STAGED } from './staging-keys.ts';
import { REMEMBERED } from './remembered-adds.ts';
// Not from the library's root, which loads all of it: the service needs little more than this.
import { QueueKeys as LibraryKeys } from 'bullmq/dist/cjs/classes/queue-keys.js';

/** The keys of a queue, by what comes after its prefix. */
const NAMES = {
  /** The part before a job's id in the key of its hash. */
  jobPrefix: '',
  /** The service's own: the active jobs that their endpoints accepted, by the time (epoch ms) of their next check. */
  accepted: ACCEPTED,
  /**
   * The service's own: for each of these jobs, by id, the token of its attempt, when it was accepted, and until when.
   */
  acceptances: ACCEPTANCES,
  active: 'active',
  /** The service's own: followed by a hyphen and a minute, what replicas counted of the calls. */
  calls: 'jobgate:calls',
  completed: 'completed',
  delayed: 'delayed',
  events: 'events',
  /** The service's own: which copy replaced the events last; followed by a hyphen and its token, a copy. */
  eventsReplaced: 'jobgate:events',
  /** The service's own: the jobs that must start within a time. */
  expiring: EXPIRING,
  failed: 'failed',
  counter: 'id',
  /**
   * The service's own: the adds that are remembered, oldest first; followed by a hyphen, what is remembered of each.
   */
  idempotency: REMEMBERED,
  limiter: 'limiter',
  marker: 'marker',
  meta: 'meta',
  paused: 'paused',
  prioritized: 'prioritized',
  priorityCounter: 'pc',
  schedulers: 'repeat',
  stalled: 'stalled',
  stalledCheck: 'stalled-check',
  wait: 'wait',
  waitingChildren: 'waiting-children',
} as const;

/** The keys of one queue as BullMQ names them, made once per queue. */
export type QueueKeys = Readonly<Record<keyof typeof NAMES, string>> & {
  readonly queue: QueueName;
  /** Not the queue's own: the names of all queues of the prefix. */
  readonly registry: string;
  /** Not the queue's own: the names of the queues with jobs that clients took themselves. */
  readonly pulled: string;
  /** Not the queue's own: the queues with jobs that their endpoints accepted. */
  readonly acceptedQueues: string;
  /** Not the queue's own: the queues with jobs that may expire. */
  readonly expiringQueues: string;
};

/** The names of all queues of a prefix, in a sorted set of one score. */
export function registryKey(prefix: string): string {
  return ownKey(prefix, 'queues');
}

/** For scripts of several queues: a key in the slot of all, and the part of their keys before their names. */
export interface QueuesKeys {
  readonly registry: string;
  readonly start: string;
}

export function ofAllQueues(prefix: string): QueuesKeys {
  return { registry: registryKey(prefix), start: `${prefix}:` };
}

/** The names of the queues with active jobs that clients may have pulled, a set. */
export function pulledKey(prefix: string): string {
  return ownKey(prefix, 'pulled');
}

/** The queues with jobs that their endpoints accepted, by the time (epoch ms) of the first check. */
export function acceptedQueuesKey(prefix: string): string {
  return ownKey(prefix, 'accepted');
}

/** The queues with jobs that may expire, by when (epoch ms) the first one does. */
export function expiringQueuesKey(prefix: string): string {
  return ownKey(prefix, EXPIRING_QUEUES);
}

/** The staged adds, by when (epoch ms of the store) they began. */
export function stagedAddsKey(prefix: string): string {
  return ownKey(prefix, STAGED);
}

/** The queues whose groups take turns. */
export function queuesInTurnsKey(prefix: string): string {
  return ownKey(prefix, QUEUES_IN_TURNS);
}

/** Just the key of a queue's event stream, for readers of more queues than the cache of keys holds. */
export function eventsKey(prefix: string, queue: QueueName): string {
  return `${prefix}:${queue}:events`;
}

export function queueKeys(prefix: string, queue: QueueName): QueueKeys {
  const library = new LibraryKeys(prefix);
  const own = Object.entries(NAMES).map(([name, type]) => [name, library.toKey(queue, type)]);
  return {
    queue,
    ...(Object.fromEntries(own) as Record<keyof typeof NAMES, string>),
    registry: registryKey(prefix),
    pulled: pulledKey(prefix),
    acceptedQueues: acceptedQueuesKey(prefix),
    expiringQueues: expiringQueuesKey(prefix),
  };
}
