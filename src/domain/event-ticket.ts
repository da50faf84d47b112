import { DomainError } from './errors.ts';
import { namePattern, namePatternShape } from './name-pattern.ts';
import { EVENT_NAMES, type EventName, type EventSelection } from './queue-event.ts';
import type { QueueName } from './queue-name.ts';
import { listOf, object, oneOf, optional, type Shape, type Shaped } from './shape.ts';

/** Milliseconds for which a ticket is good. */
export const TICKET_LIFE = 60_000;

const queues: Shape<readonly string[]> = {
  ...listOf(namePatternShape),
  must: 'be an array of names of queues, in which "*" stands for any characters',
};

const events: Shape<readonly EventName[]> = {
  ...listOf(oneOf(...EVENT_NAMES)),
  must: `be an array of names of events: ${EVENT_NAMES.join(', ')}`,
};

/** What the holder of a ticket may follow: everything that is not narrowed. */
export const eventGrantShape = object('EventGrant', {
  queues: optional(queues, 'The queues, by name or by patterns such as `mail-*`'),
  events: optional(events, 'The names of the events'),
});

export type EventGrant = Shaped<typeof eventGrantShape>;

/**
 * What may be told of what was asked for: a ticket for some events alone stands for those where none are named.
 *
 * @throws DomainError `forbidden` for another queue or other events than those of the ticket.
 */
export function grantedSelection(
  grant: EventGrant,
  queue: QueueName,
  selection: EventSelection,
): EventSelection {
  const isQueueGranted = grant.queues?.some((pattern) => namePattern(pattern)(queue)) ?? true;
  if (!isQueueGranted) throw forbidden('The ticket is not for this queue');
  if (grant.events === undefined) return selection;
  const granted = new Set(grant.events);
  const names = selection.names ?? granted;
  if ([...names].some((name) => !granted.has(name)))
    throw forbidden('The ticket is not for these events');
  return { ...selection, names };
}

function forbidden(message: string): DomainError {
  return new DomainError('forbidden', message);
}
