import type { Repeat } from './scheduler.ts';

/** Most (ms) that clocks are apart. A job with a slot further ahead was started by hand. */
const MOST_BETWEEN_CLOCKS = 60_000;

/** Knows when the times of a cron pattern come. */
export interface Calendar {
  /**
   * The first time of the pattern after `time` (epoch ms), undefined when there is none within ten years. It takes less
   * than 10 ms, whatever the pattern.
   */
  next(pattern: string, zone: string | undefined, time: number): number | undefined;
}

/** When the first job of a scheduler is due; undefined when none ever is. Times are epoch ms. */
export function firstSlot(repeat: Repeat, now: number, calendar: Calendar): number | undefined {
  const { pattern, tz, immediately = false, startDate = now } = repeat;
  const start = Math.max(startDate, now);
  if (pattern === undefined || immediately) return inTime(repeat, start);
  // The start itself may be a slot, but not the moment in which nothing was known of it.
  return inTime(repeat, calendar.next(pattern, tz, startDate > now ? start - 1 : now));
}

/** Whether a pattern has a time to come, whatever its scheduler makes of it. */
export function hasTimes(
  { pattern, tz, startDate = 0 }: Repeat,
  now: number,
  calendar: Calendar,
): boolean {
  if (pattern === undefined) return true;
  return calendar.next(pattern, tz, Math.max(startDate - 1, now)) !== undefined;
}

/** Where a scheduler stands. */
export interface Standing {
  readonly repeat: Repeat;
  /** Of its next job, or of the last one that there is. */
  readonly slot: number;
  /** Whether the job of that slot has started, so that another one comes next. */
  readonly hasStarted: boolean;
  readonly isPaused: boolean;
  /** That of the job that started last. */
  readonly lastSlot: number | undefined;
}

/**
 * When the first job of a scheduler is due that takes the place of another one. With the same times it goes on from
 * where that stood: no slot is left out then, and none comes twice.
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

/** From when on slots are looked for: a clock that is ahead may have made some that are still to come. */
function beginning({ pattern, immediately }: Repeat, lastSlot = 0, now: number): number {
  const makesThemAgain = pattern !== undefined && immediately !== true;
  const isAhead = lastSlot > now && lastSlot <= now + MOST_BETWEEN_CLOCKS;
  return makesThemAgain && isAhead ? lastSlot : now;
}

/** When the job after that of a slot is due. Slots that have gone by are skipped. */
export function slotAfter(
  repeat: Repeat,
  slot: number,
  now: number,
  calendar: Calendar,
): number | undefined {
  const { pattern, tz, every } = repeat;
  if (pattern !== undefined) return inTime(repeat, calendar.next(pattern, tz, Math.max(slot, now)));
  if (every === undefined) return undefined;
  return inTime(repeat, slot + every * Math.max(1, Math.ceil((now - slot) / every)));
}

/** When the next job of a scheduler is due that was paused before that of `slot` was made. */
export function resumedSlot(
  repeat: Repeat,
  slot: number,
  now: number,
  calendar: Calendar,
): number | undefined {
  return slot >= now ? slot : slotAfter(repeat, slot, now, calendar);
}

/** The next slots from that of the job `count` on, up to `most`; those that have gone by are left out. */
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

function hasSameTimes(repeat: Repeat, before: Repeat): boolean {
  const beginsAnew = repeat.pattern !== undefined && repeat.immediately === true;
  const names = ['pattern', 'every', 'tz', 'startDate'] as const;
  return !beginsAnew && names.every((name) => repeat[name] === before[name]);
}

function inTime({ endDate = Infinity }: Repeat, slot: number | undefined): number | undefined {
  return slot === undefined || slot > endDate ? undefined : slot;
}
