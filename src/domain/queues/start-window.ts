import type { Limiter } from './limiter.ts';

/** A start that limiters count. */
export interface CountedStart {
  /** When it was made, epoch ms of the store. */
  readonly at: number;
  /** What it counts. */
  readonly cost: number;
}

/** The starts that a limiter counts, oldest first: when each was made, what it counts, and what they count together. */
export interface CountedStarts {
  readonly times: readonly number[];
  readonly costs: readonly number[];
  readonly total: number;
}

/**
 * When the last of those starts was made that have to leave the window before a job of this cost starts; undefined when
 * none has to. A job that costs more than the limiter allows starts alone in a window.
 */
export function lastToLeave(
  { times, costs, total }: CountedStarts,
  { max }: Pick<Limiter, 'max'>,
  cost: number,
): number | undefined {
  let excess = total + Math.min(cost, max) - max;
  let last: number | undefined;
  for (let index = 0; excess > 0 && index < times.length; index += 1) {
    excess -= costs[index] ?? 0;
    last = times[index];
  }
  return last;
}

/** Where a start is among the others; -1 when it is not. Of several equal ones, any does. */
export function indexOfStart({ times, costs }: CountedStarts, { at, cost }: CountedStart): number {
  let index = startsUpTo(times, at) - 1;
  while (index >= 0 && times[index] === at && costs[index] !== cost) index -= 1;
  return times[index] === at ? index : -1;
}

/** How many of the starts were made up to that time. */
export function startsUpTo(times: readonly number[], time: number): number {
  let low = 0;
  for (let high = times.length; low < high;) {
    const middle = (low + high) >> 1;
    if ((times[middle] ?? time) > time) high = middle;
    else low = middle + 1;
  }
  return low;
}
