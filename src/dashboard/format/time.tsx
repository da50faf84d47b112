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
  return formatOf('date', chosenZone()).format(at);
}

/** @param timeZone in place of the one that was chosen. */
export function clockTime(at: number, timeZone = chosenZone()): string {
  return formatOf('clock', timeZone).format(at);
}

/** To make one takes longer than to write a hundred times with it. */
const formats = new Map<string, Intl.DateTimeFormat>();

const STYLES = {
  date: { dateStyle: 'medium', timeStyle: 'long' },
  clock: { timeStyle: 'medium' },
} as const;

function formatOf(style: keyof typeof STYLES, timeZone: string | undefined): Intl.DateTimeFormat {
  const key = `${style} ${timeZone ?? ''}`;
  const format =
    formats.get(key) ?? new Intl.DateTimeFormat('en-GB', { ...STYLES[style], timeZone });
  formats.set(key, format);
  return format;
}

/** Undefined for that of the browser. */
function chosenZone(): string | undefined {
  return zone.value === 'UTC' ? 'UTC' : undefined;
}
