import type { QueueName } from '../queues/queue-name.ts';
import type { LimitSettings } from './limit.ts';

/*
 * Queues take turns at a limit that they share, by how many starts each had while others waited. A queue may be ahead
 * of the one that waits with the fewest starts by a few, so that most calls that end are followed by one of the same
 * queue in the same step. Room that a queue may not take is offered to the queues that wait, which are woken for it.
 */

/** How long (ms) a queue leaves room to another one that was woken for it. */
export const PATIENCE = 300;

/** How long (ms) starts are counted after the last queue stopped waiting: it may wait again in a moment. */
export const TURNS_LAST = 1000;

/** After how long (ms) a refused claim is made again at the latest: a wake-up may be lost with a replica. */
export const LONGEST_REST = 5000;

/** How long (ms) after the time when a limiter has room each queue that waits has claimed: those before it may be gone. */
export const LONGEST_DEFERENCE = 500;

/** How many queues room is offered to at once. */
export const MOST_OFFERS = 100;

/** A queue may be ahead by a fraction of the calls that the limit allows, within these bounds. */
export const [LEAD_PART, LEAST_LEAD, MOST_LEAD] = [2, 1, 10];

/** The turn of a queue at a limit. Times are epoch ms. */
export interface Turn {
  /** How many starts it had while others waited; see `startsOf`. */
  readonly starts: number;
  /** Whether the limit refused its latest claim. */
  readonly waits: boolean;
  /** When it last waited. */
  readonly waitedAt?: number | undefined;
  /** Since when it leaves room to others. */
  readonly yieldsSince?: number | undefined;
  /** Until when others leave room to it. */
  readonly offeredUntil?: number | undefined;
}

type QueueInTurn = readonly [queue: QueueName, turn: Turn];

export interface Turns extends Iterable<QueueInTurn> {
  /** Those that wait, the ones with the fewest starts first, and then by name: there may be thousands. */
  readonly waiting: Iterable<QueueInTurn>;
}

/** How many starts a queue may be ahead of one that waits. */
export function leadOf({ concurrency = Infinity, limiter }: LimitSettings): number {
  const part = Math.min(concurrency, limiter?.max ?? Infinity) / LEAD_PART;
  return Math.min(Math.max(Math.floor(part), LEAST_LEAD), MOST_LEAD);
}

/** Whether the queue waits, or did a moment ago. */
export function isInTurn({ waits, waitedAt = -Infinity }: Turn, now: number): boolean {
  return waits || waitedAt > now - TURNS_LAST;
}

/** Whether the queue did not claim although it was woken for room. */
export function hasLapsed({ offeredUntil = Infinity }: Turn, now: number): boolean {
  return offeredUntil <= now;
}

/** The queues besides one that wait, those with the fewest starts first. */
export function* waitingIn(
  { waiting }: Turns,
  besides: QueueName | undefined,
  now: number,
): Generator<QueueInTurn, void> {
  for (const each of waiting) if (each[0] !== besides && !hasLapsed(each[1], now)) yield each;
}

/** The starts of a queue. One that did not wait just now has those of the first that waits, or the most, at least. */
export function startsOf(own: Turn | undefined, turns: Turns, now: number): number {
  if (own !== undefined && isInTurn(own, now)) return own.starts;
  const [first] = waitingIn(turns, undefined, now);
  const others = first === undefined ? [...turns] : [first];
  return Math.max(own?.starts ?? 0, ...others.map(([, { starts }]) => starts));
}
