import { effect, signal } from '@preact/signals';
import type { VNode } from 'preact';
import { serviceTime } from '../api/request.ts';
import { zone } from '../frame/settings.ts';
import { inWords } from '../../../src/domain/values/duration.ts';
import { duration } from './duration.ts';

const MINUTE = 60_000;

/** Ages change by whole seconds. */
const wholeSeconds = (time: number): string => duration(Math.floor(time / 1000) * 1000);

/** The time that ages are counted from; it advances every second while the page is visible. */
export const now = signal(0);

// Runs also when an answer shows that the clock of this browser is wrong.
effect(() => {
  now.value = serviceTime();
});
setInterval(() => {
  if (!document.hidden) now.value = serviceTime();
}, 1000);

/** A moment relative to now, with the full time at hand. */
export function Time({ at }: { readonly at: number | null }): VNode {
  if (at === null) return <span class="muted">–</span>;
  const past = now.value - at;
  const text = past >= 0 ? `${wholeSeconds(past)} ago` : `in ${inWords(-past)}`;
  return (
    <time dateTime={new Date(at).toISOString()} title={dateAndTime(at)}>
      {Math.abs(past) < 1000 ? 'now' : text}
    </time>
  );
}

/** In the chosen zone. Each time on a page has it, so it does not use a formatter, which takes long to create. */
export function dateAndTime(at: number): string {
  const ahead = zone.value === 'UTC' ? 0 : -new Date(at).getTimezoneOffset();
  const [date, time] = new Date(at + ahead * MINUTE).toISOString().split(/[T.]/);
  return `${date} ${time} ${zoneText(ahead)}`;
}

/** @param ahead of UTC, in minutes. */
function zoneText(ahead: number): string {
  const [hours, minutes] = [Math.floor(Math.abs(ahead) / 60), Math.abs(ahead) % 60];
  if (ahead === 0) return 'UTC';
  return `UTC${ahead < 0 ? '−' : '+'}${hours}${minutes === 0 ? '' : `:${String(minutes).padStart(2, '0')}`}`;
}

/** @param timeZone replaces the chosen one. */
export function clockTime(at: number, timeZone = chosenZone()): string {
  return clockOf(timeZone).format(at);
}

/** Formatters by zone, as creating one takes longer than formatting a hundred times with it. */
const clocks = new Map<string, Intl.DateTimeFormat>();

function clockOf(timeZone = ''): Intl.DateTimeFormat {
  const known = clocks.get(timeZone);
  if (known !== undefined) return known;
  const clock = new Intl.DateTimeFormat('en-GB', {
    timeStyle: 'medium',
    ...(timeZone !== '' && { timeZone }),
  });
  clocks.set(timeZone, clock);
  return clock;
}

/** Undefined for the zone of the browser. */
function chosenZone(): string | undefined {
  return zone.value === 'UTC' ? 'UTC' : undefined;
}
