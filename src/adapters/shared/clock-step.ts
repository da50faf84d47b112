/** The least change (ms) against a clock that cannot be set that is a step, and no drift or slow measurement. */
const LEAST_STEP = 500;

/** Whether a clock that changed by some ms, against one that cannot be set, was set meanwhile. */
export function isClockStep(ms: number): boolean {
  return Math.abs(ms) >= LEAST_STEP;
}

/** How a clock was set, for the log: `set forward by 60 s`. */
export function setBy(ms: number): string {
  const seconds = Math.round(Math.abs(ms) / 100) / 10;
  return `set ${ms > 0 ? 'forward' : 'back'} by ${seconds} s`;
}
