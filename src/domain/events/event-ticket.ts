import type { CallerFacts } from '../access/caller.ts';
import { DomainError } from '../errors.ts';
import { namePatterns, namePatternShape } from '../queues/name-pattern.ts';
import type { EventSelection } from './queue-event.ts';
import { EVENT_NAMES } from '../values/event-names.ts';
import type { QueueName } from '../queues/queue-name.ts';
import { bounded, listOf, object, oneOf, optional, type Shaped } from '../values/shape.ts';

/** How long (ms) a ticket is valid. */
export const TICKET_LIFE = 60_000;

/** How many tickets a token gets within TICKET_LIFE; with each further one, the oldest of them ends. */
export const MOST_TICKETS = 1000;

/** Most patterns of a ticket. */
const MOST_PATTERNS = 100;

const queues = bounded(MOST_PATTERNS, {
  ...listOf(namePatternShape),
  must: 'be an array of names of queues, in which "*" stands for any characters',
});

const events = bounded(EVENT_NAMES.length, {
  ...listOf(oneOf(...EVENT_NAMES)),
  must: `be an array of names of events: ${EVENT_NAMES.join(', ')}`,
});

/** What the holder of a ticket may follow: everything, except where a field restricts it. */
export const eventGrantShape = object('EventGrant', {
  queues: optional(queues, 'The queues, by name or by patterns such as `mail-*`'),
  events: optional(events, 'The names of the events'),
});

export type EventGrant = Shaped<typeof eventGrantShape>;

/** The stored record of a ticket. */
export interface TicketGrant {
  readonly grant: EventGrant;
  /** The caller it was issued to; its holder has no further rights. */
  readonly caller: CallerFacts;
}

/**
 * What a ticket grants for a request. If the ticket is limited to certain queues or events, these apply when the
 * request names none.
 *
 * @param queue the queue to follow; by default all selected queues.
 * @throws DomainError `forbidden` for queues or events outside the ticket.
 */
export function grantedSelection(
  grant: EventGrant,
  selection: EventSelection,
  queue?: QueueName,
): EventSelection {
  const names = grantedNames(grant, selection);
  if (queue === undefined) return { ...selection, names, queues: grantedQueues(grant, selection) };
  if (!isGranted(grant, queue)) throw forbidden('The ticket is not for this queue');
  return { ...selection, names };
}

function grantedNames({ events }: EventGrant, { names }: EventSelection): EventSelection['names'] {
  if (events === undefined) return names;
  const granted = new Set(events);
  if (names === undefined) return granted;
  if ([...names].every((name) => granted.has(name))) return names;
  throw forbidden('The ticket is not for these events');
}

function grantedQueues(grant: EventGrant, { queues }: EventSelection): EventSelection['queues'] {
  if (queues === undefined) return grant.queues;
  if (queues.every((pattern) => isGranted(grant, pattern))) return queues;
  throw forbidden('The ticket is not for these queues');
}

/** A requested pattern is matched as text, so that only a "*" of the ticket matches its "*". */
function isGranted({ queues }: EventGrant, pattern: string): boolean {
  return namePatterns(queues)(pattern);
}

function forbidden(message: string): DomainError {
  return new DomainError('forbidden', message);
}
