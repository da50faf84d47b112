import { text } from '../values/shape.ts';

/**
 * Identifies an event of a queue and orders it among the others: the time of the event by the store's clock in epoch
 * milliseconds, a hyphen, and a number that counts the events within that millisecond.
 */
export type EventId = string;

/** Precedes the first event that a queue can have. */
export const BEFORE_EVENTS: EventId = '0-0';

/** No millisecond has this many events. */
const LARGEST_COUNT = '999999999999999999';

const NUMBER = '(?:0|[1-9][0-9]{0,17})';

/** An id in the form that clients send. */
export const eventId = text(
  'be the id of an event',
  (id) => new RegExp(`^${NUMBER}-${NUMBER}$`).test(id),
  { pattern: `^${NUMBER}-${NUMBER}$`, examples: ['1767225600000-0'] },
);

/** Less than 0 when the first event came before the second, more than 0 when it came after. */
export function compareEventIds(one: EventId, other: EventId): number {
  if (one === other) return 0;
  // Nearly all ids have times of the same length, and often counts too.
  if (one.length === other.length && one.indexOf('-') === other.indexOf('-')) {
    return one < other ? -1 : 1;
  }
  const [time, count] = partsOf(one);
  const [otherTime, otherCount] = partsOf(other);
  return compareNumbers(time, otherTime) || compareNumbers(count, otherCount);
}

/** The greatest id that an event before this one can have; for the first possible event, the id that no event has. */
export function idBefore(id: EventId): EventId {
  if (id === BEFORE_EVENTS) return id;
  const [time, count] = partsOf(id);
  return count === '0' ? `${Number(time) - 1}-${LARGEST_COUNT}` : `${time}-${Number(count) - 1}`;
}

/** The least id that the last of so many events after this one can have. */
export function idAfter(id: EventId, events = 1): EventId {
  const [time, count] = partsOf(id);
  return `${time}-${Number(count) + events}`;
}

/** Epoch milliseconds. */
export function timeOfEvent(id: EventId): number {
  return Number(partsOf(id)[0]);
}

function partsOf(id: EventId): readonly [time: string, count: string] {
  const hyphen = id.indexOf('-');
  return [id.slice(0, hyphen), id.slice(hyphen + 1)];
}

/** Compares decimal numbers as text: they may exceed the safe integers, and have no leading zeros. */
function compareNumbers(one: string, other: string): number {
  if (one === other) return 0;
  return one.length - other.length || (one < other ? -1 : 1);
}
