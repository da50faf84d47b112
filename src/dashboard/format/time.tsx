import { effect, signal } from '@preact/signals';
import type { VNode } from 'preact';
import { serviceTime } from '../api/request.ts';
import { zone } from '../frame/settings.ts';
import { duration } from './duration.ts';

/** Ages go by whole seconds. */
const wholeSeconds = (time: number): string => duration(Math.floor(time / 1000) * 1000);

/** The time that ages are counted from; it goes on every second while the page is seen. */
export const now = signal(0);

// Also at once when an answer shows that the clock of this browser is wrong.
effect(() => {
  now.value = serviceTime();
});
setInterval(() => {
  if (!document.hidden) now.value = serviceTime();
}, 1000);

/** A moment relative to now, with the whole of it at hand. */
export function Time({ at }: { readonly at: number | null }): VNode {
  if (at === null) return <span class="muted">–</span>;
  const past = now.value - at;
  const text = past >= 0 ? `${wholeSeconds(past)} ago` : `in ${wholeSeconds(-past)}`;
  return (
    <time dateTime={new Date(at).toISOString()} title={dateAndTime(at)}>
      {Math.abs(past) < 1000 ? 'now' : text}
    </time>
  );
}

/** In the zone that was chosen. */
export function dateAndTime(at: number): string {
  return new Date(at).toLocaleString('en-GB', {
    dateStyle: 'medium',
    timeStyle: 'long',
    ...zoneOption(),
  });
}

/** @param timeZone in place of the one that was chosen. */
export function clockTime(at: number, timeZone?: string): string {
  return new Date(at).toLocaleTimeString(
    'en-GB',
    timeZone === undefined ? zoneOption() : { timeZone },
  );
}

function zoneOption(): { readonly timeZone?: string } {
  return zone.value === 'UTC' ? { timeZone: 'UTC' } : {};
}
