import type { ClockPort } from '../../src/application/ports/clock-port.ts';

/** A clock that shows the given time, and on which nothing waits. */
export function clockOf(now: () => number): ClockPort {
  return { now, sleep: () => Promise.resolve(), turn: () => Promise.resolve() };
}
