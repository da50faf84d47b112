import type { Repeat } from './scheduler.ts';

/** Maximum clock skew (ms). A job with a slot further ahead was started manually. */
const MAX_CLOCK_SKEW = 60_000;

/** One minute of a pattern with a slot in each second, and the step to the next minute. */
const LOOKED_AHEAD = 61;

const DAY = 86_400_000;

const YEAR = 365 * DAY;

/** Computes the times of cron patterns. */
export interface Calendar {
  /**
   * The first time of the pattern after `time` (epoch ms), undefined when there is none within ten years. It takes less
   * than 10 ms for any pattern.
   */
  next(pattern: string, zone: string | undefined, time: number): number | undefined;
}

/** The slot of the first job of a scheduler; undefined when there is none. Times are epoch ms. */
export function firstSlot(repeat: Repeat, now: number, calendar: Calendar): number | undefined {
  const { pattern, tz, immediately = false, startDate = now } = repeat;
  const start = Math.max(startDate, now);
  if (pattern === undefined || immediately) return inTime(repeat, start);
  // The start date itself may be a slot, but not the moment at which the scheduler is stored.
  return inTime(repeat, calendar.next(pattern, tz, startDate > now ? start - 1 : now));
}

/** Whether a pattern has any future times, regardless of the other limits of its scheduler. */
export function hasTimes(
  { pattern, tz, startDate = 0 }: Repeat,
  now: number,
  calendar: Calendar,
): boolean {
  if (pattern === undefined) return true;
  return calendar.next(pattern, tz, Math.max(startDate - 1, now)) !== undefined;
}

/** The progress of a scheduler that is to be replaced. */
export interface Standing {
  readonly repeat: Repeat;
  /** The slot of its next job, or of the last one if no further job follows. */
  readonly slot: number;
  /** Whether the job of that slot has started, so that the next slot follows. */
  readonly hasStarted: boolean;
  readonly isPaused: boolean;
  /** The slot of the most recently started job. */
  readonly lastSlot: number | undefined;
}

/**
 * The slot of the first job of a scheduler that replaces another one. With the same times, it continues where the
 * previous one stood: no slot is skipped or repeated.
 */
export function replacingSlot(
  repeat: Repeat,
  before: Standing | undefined,
  now: number,
  calendar: Calendar,
): number | undefined {
  const first = firstSlot(repeat, beginning(repeat, before?.lastSlot, now), calendar);
  if (before === undefined || before.isPaused || !hasSameTimes(repeat, before.repeat)) return first;
  const { slot, hasStarted } = before;
  const next = hasStarted ? slotAfter(repeat, slot, now, calendar) : inTime(repeat, slot);
  return next ?? first;
}

/** The time from which to look for slots. A clock that is ahead may already have made jobs for slots in the future. */
function beginning({ pattern, immediately }: Repeat, lastSlot = 0, now: number): number {
  const makesThemAgain = pattern !== undefined && immediately !== true;
  const isAhead = lastSlot > now && lastSlot <= now + MAX_CLOCK_SKEW;
  return makesThemAgain && isAhead ? lastSlot : now;
}

type LaterSlot = (
  repeat: Repeat,
  slot: number,
  now: number,
  calendar: Calendar,
) => number | undefined;

/** The slot of the job after this one. Past slots are skipped. */
export const slotAfter: LaterSlot = (repeat, slot, now, calendar) => {
  const { pattern, tz, every } = repeat;
  if (pattern !== undefined) return inTime(repeat, calendar.next(pattern, tz, Math.max(slot, now)));
  if (every === undefined) return undefined;
  return inTime(repeat, slot + every * Math.max(1, Math.ceil((now - slot) / every)));
};

/** The slot of the next job after a resume, when the pause began before the job of `slot` was made. */
export const resumedSlot: LaterSlot = (repeat, slot, now, calendar) =>
  slot >= now ? slot : slotAfter(repeat, slot, now, calendar);

/** The next slots, starting with that of the job `count`, up to `most`; past ones are left out. */
export function nextSlots(
  repeat: Repeat,
  planned: { readonly slot: number; readonly count: number },
  now: number,
  most: number,
  calendar: Calendar,
): readonly number[] {
  const { limit = Infinity } = repeat;
  const slots: number[] = [];
  let slot: number | undefined = planned.slot;
  for (let { count } = planned; slot !== undefined && count <= limit; count += 1) {
    if (slot > now) slots.push(slot);
    if (slots.length === most) break;
    slot = slotAfter(repeat, slot, now, calendar);
  }
  return slots;
}

/**
 * The shortest time (ms) between two slots: of a pattern, among up to `LOOKED_AHEAD` of the next ones, within a day or
 * so, and a year at most.
 */
export function shortestGap(
  { pattern, tz, every, startDate = 0 }: Repeat,
  now: number,
  calendar: Calendar,
): number {
  if (pattern === undefined) return every ?? YEAR;
  const first = calendar.next(pattern, tz, Math.max(startDate - 1, now));
  let gap = YEAR;
  let slot = first;
  for (let seen = 0; slot !== undefined && seen < LOOKED_AHEAD; seen += 1) {
    const next = calendar.next(pattern, tz, slot);
    if (next === undefined) break;
    gap = Math.min(gap, next - slot);
    slot = next - (first ?? 0) > DAY ? undefined : next;
  }
  return gap;
}

function hasSameTimes(repeat: Repeat, before: Repeat): boolean {
  const beginsAnew = repeat.pattern !== undefined && repeat.immediately === true;
  const names = ['pattern', 'every', 'tz', 'startDate'] as const;
  return !beginsAnew && names.every((name) => repeat[name] === before[name]);
}

function inTime({ endDate = Infinity }: Repeat, slot: number | undefined): number | undefined {
  return slot === undefined || slot > endDate ? undefined : slot;
}
