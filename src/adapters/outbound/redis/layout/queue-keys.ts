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

/** The service's own keys that belong to no queue, by their names. */
const OF_ALL = {
  /** The names of all queues, in a sorted set of one score. */
  registry: 'queues',
  /** The names of the queues with active jobs that clients may have pulled, a set. */
  pulled: 'pulled',
  /** The queues with jobs that their endpoints accepted, by the time (epoch ms) of the first check. */
  acceptedQueues: 'accepted',
  /** The queues with jobs that may expire, by when (epoch ms) the first one does. */
  expiringQueues: EXPIRING_QUEUES,
  /** The staged adds, by when (epoch ms of the store) they began. */
  stagedAdds: STAGED,
  /** The queues whose groups take turns. */
  queuesInTurns: QUEUES_IN_TURNS,
} as const;

type OwnKeys = Readonly<Record<keyof typeof OF_ALL, string>>;

/** The keys of one queue as BullMQ names them, made once per queue, and those of no queue. */
export type QueueKeys = Readonly<Record<keyof typeof NAMES, string>> &
  OwnKeys & { readonly queue: QueueName };

/** For scripts of several queues: keys in the slot of all, and the part of their keys before their names. */
export type QueuesKeys = OwnKeys & { readonly start: string };

export function ofAllQueues(prefix: string): QueuesKeys {
  return { ...keysBy(OF_ALL, (name) => ownKey(prefix, name)), start: `${prefix}:` };
}

/** Just the key of a queue's event stream, for readers of more queues than the cache of keys holds. */
export function eventsKey(prefix: string, queue: QueueName): string {
  return `${prefix}:${queue}:events`;
}

/** @param ofAll the keys of no queue: one object for all queues of the prefix. */
export function queueKeys(
  prefix: string,
  queue: QueueName,
  ofAll: OwnKeys = ofAllQueues(prefix),
): QueueKeys {
  const library = new LibraryKeys(prefix);
  return { ...keysBy(NAMES, (type) => library.toKey(queue, type)), ...ofAll, queue };
}

function keysBy<Name extends string>(
  names: Readonly<Record<Name, string>>,
  keyOf: (name: string) => string,
): Readonly<Record<Name, string>> {
  const entries = Object.entries<string>(names).map(([each, name]) => [each, keyOf(name)]);
  return Object.fromEntries(entries) as Record<Name, string>;
}
