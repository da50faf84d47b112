import type { Stop } from './stop.ts';

/** Such as `by ada since 2026-11-30T08:15:00Z: Deploy of billing`. */
export function stoppedInWords({ by, at, reason }: Stop): string {
  const since = `${new Date(at).toISOString().slice(0, 19)}Z`;
  return `by ${by} since ${since}${reason === null ? '' : `: ${reason}`}`;
}
