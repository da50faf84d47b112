import type { Stop } from '../../../../domain/values/stop.ts';

/** Who stopped something as scripts take and return it: JSON; empty where that is not known. */
export function stopText(stop: Stop | undefined): string {
  return stop === undefined ? '' : JSON.stringify(stop);
}

/** Undefined where that is not known. */
export function stopOf(text: string | undefined): Stop | undefined {
  return text === undefined || text === '' ? undefined : (JSON.parse(text) as Stop);
}
