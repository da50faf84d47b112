import type { Limit } from '../../../typescript/src/api.ts';
import { duration } from '../../format/duration.ts';
import { exactNumber } from '../../format/number.tsx';

/** How many calls run, of how many that may. */
export function runningInWords({ running, concurrency }: Limit): string {
  return concurrency === null ? String(running) : `${running}/${concurrency}`;
}

/** How many starts a limiter allows, and in what time; null without one. */
export function limiterInWords({ limiter }: Limit): string | null {
  return limiter && `${exactNumber(limiter.max)} in ${duration(limiter.duration)}`;
}

/** The fields that a client sets. */
export function settingsOfLimit({ concurrency, limiter }: Limit): object {
  return { ...(concurrency !== null && { concurrency }), ...(limiter && { limiter }) };
}
