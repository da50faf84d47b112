import { setTimeout } from 'node:timers/promises';
import type { ClockPort } from '../application/ports/clock-port.ts';

/** The longest a timer can run, in milliseconds; the platform fires longer ones at once. */
const LONGEST_SLEEP = 2 ** 31 - 1;

/** The time of the machine. A sleep beyond 24 days ends there, so callers look at the time again. */
export class SystemClock implements ClockPort {
  now(): number {
    return Date.now();
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    try {
      await setTimeout(Math.min(ms, LONGEST_SLEEP), undefined, signal && { signal });
    } catch (error) {
      if (signal?.aborted !== true) throw error;
    }
  }
}
