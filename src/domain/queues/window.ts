import { invalidRequest } from '../errors.ts';
import {
  bounded,
  listOf,
  nonEmpty,
  object,
  oneOf,
  optional,
  required,
  text,
  type Shaped,
  nullable,
  boolean,
  time,
} from '../values/shape.ts';

/** The days of a week, in the order of ISO 8601. */
export const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;

export type Day = (typeof DAYS)[number];

/** Each is looked at for each day when it is computed what comes next. */
const MOST_SPANS = 20;

const MOST_ZONE_NAME = 100;

const TIME = '^(?:[01]\\d|2[0-3]):[0-5]\\d$';
const END = '^(?:(?:[01]\\d|2[0-3]):[0-5]\\d|24:00)$';

const timeOfDay = (pattern: string, example: string) =>
  bounded(
    example.length,
    text(`be a time of day such as ${example}`, (value) => new RegExp(pattern).test(value), {
      pattern,
    }),
  );

const spanShape = object('WindowSpan', {
  days: optional(
    bounded(DAYS.length, nonEmpty(listOf(oneOf(...DAYS)), 'be an array, not empty, of days')),
    'The days on which it begins; all unless given',
  ),
  from: required(timeOfDay(TIME, '22:00'), 'When it begins'),
  to: required(timeOfDay(END, '24:00'), 'When it ends; on the next day if that is before `from`'),
});

type WindowSpan = Shaped<typeof spanShape>;

/** When jobs of a queue may start (reach contract, section 19). */
export const windowShape = object('Window', {
  open: required(
    bounded(
      MOST_SPANS,
      nonEmpty(listOf(spanShape), `be an array of 1 to ${MOST_SPANS} spans of time`),
    ),
    'The spans of time in which jobs may start',
  ),
  tz: optional(
    bounded(
      MOST_ZONE_NAME,
      text('be the name of a time zone', (name) => name !== ''),
    ),
    'The time zone, such as `Europe/Berlin`; UTC unless given',
  ),
});

export type Window = Shaped<typeof windowShape>;

/** The time zone of its spans: without a default, the zone of each process would decide. */
export function zoneOf({ tz = 'UTC' }: Pick<Window, 'tz'>): string {
  return tz;
}

/** @throws DomainError `invalid-request` for a span without a length. */
export function checkSpans({ open }: Window, path: string): void {
  for (const [index, { from, to }] of open.entries()) {
    if (from === to) {
      const field = `${path}.open[${index}].to`;
      throw invalidRequest(`${field} must not be equal to from`, field);
    }
  }
}

/** Milliseconds that the clocks of a zone are ahead of UTC at a time (epoch ms). */
export type OffsetAt = (time: number) => number;

/** Whether jobs may start, and when (epoch ms) that changes; null if it never does. */
export const windowStateShape = object('WindowState', {
  open: required(boolean, 'Whether jobs may start'),
  changesAt: required(
    nullable(time),
    'When that changes, in milliseconds since 1970; null if it never does',
  ),
});

export type WindowState = Shaped<typeof windowStateShape>;

/** The same, as a replica computed it, with when the open span began; null while closed. */
export interface ComputedWindow extends WindowState {
  readonly since: number | null;
}

/** The time (epoch ms) in which jobs may start that is now or comes next, as its replica computed it. */
export interface OpenTime {
  readonly from: number;
  /** Infinity when the replica does not know. */
  readonly to: number;
}

/** How long (ms) a claim that comes after the time that its replica took for open waits until it is made again. */
const TOO_LATE = 1000;

/** For how many milliseconds a claim gets no job at a time (epoch ms); 0 when it may get one. */
export function closedFor({ from, to }: OpenTime, now: number): number {
  if (now < from) return from - now;
  return now < to ? 0 : TOO_LATE;
}

/**
 * The open time that is now or comes next. It has its beginning also while it is open: a replica whose clock is ahead
 * may take for open what is not open yet by the clock of the store.
 */
export function openTimeOf({ open, changesAt, since }: ComputedWindow): OpenTime {
  const to = changesAt ?? Infinity;
  return open ? { from: since ?? -Infinity, to } : { from: to, to: Infinity };
}

const MINUTE = 60_000;
const DAY = 86_400_000;

/** How many days are looked at: a span that a change of the clocks skips comes again a week later. */
const DAYS_AHEAD = 16;

/** The state of a window at a time. Between two changes of the clocks of a zone there must be more than 18 days. */
export function windowState({ open }: Window, offsetAt: OffsetAt, at: number): ComputedWindow {
  const clocks = clocksAround(offsetAt, at);
  const today = Math.floor((at + offsetAt(at)) / DAY);
  const spans: (readonly [from: number, to: number])[] = [];
  for (let day = today - 1; day < today + DAYS_AHEAD; day += 1) {
    for (const span of open) {
      if (!beginsOn(span, day)) continue;
      const from = clocks.first(day * DAY + minutesOf(span.from) * MINUTE);
      const to = clocks.last((day + lastDayOf(span)) * DAY + minutesOf(span.to) * MINUTE);
      if (from < to) spans.push([from, to]);
    }
  }
  spans.sort(([one], [other]) => one - other);
  let closesAt: number | undefined;
  /** The beginning and the end of the spans so far that follow one another without a pause. */
  let [begin, end] = [-Infinity, -Infinity];
  for (const [from, to] of spans) {
    if (closesAt === undefined) {
      if (from > at) return { open: false, changesAt: from, since: null };
      if (from > end) begin = from;
      end = Math.max(end, to);
      if (to > at) closesAt = to;
    } else if (from <= closesAt) closesAt = Math.max(closesAt, to);
    else break;
  }
  const isEndless = closesAt === undefined || closesAt - at > (DAYS_AHEAD - 2) * DAY;
  const isOpen = closesAt !== undefined;
  const changesAt = isEndless ? null : (closesAt ?? null);
  return { open: isOpen, changesAt, since: isOpen ? begin : null };
}

/** @param day days since 1970-01-01, a Thursday. */
function beginsOn({ days }: WindowSpan, day: number): boolean {
  return days === undefined || days.includes(DAYS[(day + 3) % 7] as Day);
}

function lastDayOf({ from, to }: WindowSpan): number {
  return minutesOf(to) < minutesOf(from) ? 1 : 0;
}

function minutesOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
}

/** Turns what clocks of a zone show (as if it were UTC) into epoch ms. */
interface Clocks {
  /** The first time at which they show it or, if they skip it, the moment in which they do. */
  first(shown: number): number;
  /** The last such time. */
  last(shown: number): number;
}

function clocksAround(offsetAt: OffsetAt, at: number): Clocks {
  let [low, high] = [at - 2 * DAY, at + (DAYS_AHEAD + 1) * DAY];
  const [before, after] = [offsetAt(low), offsetAt(high)];
  if (before === after) {
    const only = (shown: number): number => shown - before;
    return { first: only, last: only };
  }
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetAt(middle) === before) low = middle;
    else high = middle;
  }
  const change = high;
  const first = (shown: number): number => {
    if (shown - before < change) return shown - before;
    return Math.max(shown - after, change);
  };
  const last = (shown: number): number => {
    if (shown - after >= change) return shown - after;
    return Math.min(shown - before, change);
  };
  return { first, last };
}
