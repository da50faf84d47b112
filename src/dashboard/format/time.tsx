import { signal } from '@preact/signals';
import type { VNode } from 'preact';
import { serviceTime } from '../api/request.ts';
import { duration } from './duration.ts';

/** Ages go by whole seconds. */
const wholeSeconds = (time: number): string => duration(Math.floor(time / 1000) * 1000);

/** The time that ages are counted from; it goes on every second while the page is seen. */
export const now = signal(serviceTime());
setInterval(() => {
  if (!document.hidden) now.value = serviceTime();
}, 1000);

const dateAndTime = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'long' });

/** A moment relative to now, with the whole of it at hand. */
export function Time({ at }: { readonly at: number | null }): VNode {
  if (at === null) return <span class="muted">–</span>;
  const past = now.value - at;
  const text = past >= 0 ? `${wholeSeconds(past)} ago` : `in ${wholeSeconds(-past)}`;
  return (
    <time dateTime={new Date(at).toISOString()} title={dateAndTime.format(at)}>
      {Math.abs(past) < 1000 ? 'now' : text}
    </time>
  );
}

export function clockTime(at: number): string {
  return new Date(at).toLocaleTimeString('en-GB');
}
