import { signal } from '@preact/signals';
import { serviceTime } from '../../api/request.ts';

const KEY = 'jobgate-ignored-causes';
const DAY = 86_400_000;

/** By cause, until when (epoch ms) this browser does not list it; nobody else's does so for that. */
const ignored = signal<Readonly<Record<string, number>>>(stored());

export function isIgnored(cause: string): boolean {
  return (ignored.value[cause] ?? 0) > serviceTime();
}

/** For a day, or not any longer. */
export function setIgnored(cause: string, isIt: boolean): void {
  const now = serviceTime();
  const others = Object.entries(ignored.value).filter(
    ([each, until]) => each !== cause && until > now,
  );
  const entries = isIt ? [...others, [cause, now + DAY] as const] : others;
  ignored.value = Object.fromEntries(entries);
  try {
    localStorage.setItem(KEY, JSON.stringify(ignored.value));
  } catch {
    // Without storage they are ignored as long as the page is there.
  }
}

function stored(): Readonly<Record<string, number>> {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}') as Record<string, number>;
  } catch {
    return {};
  }
}
