import { signal } from '@preact/signals';
import { serviceTime } from '../../api/request.ts';
import type { QueueFailure } from '../../../typescript/src/api.ts';
import { keep, kept } from '../../frame/browser-storage.ts';

const NAME = 'ignored-causes';
const DAY = 86_400_000;

/** By cause, until when (epoch ms) this browser does not list it. Other browsers are not affected. */
const ignored = signal(kept<Readonly<Record<string, number>>>(NAME, {}));

export function keyOf({ queue, cause, status }: QueueFailure): string {
  return `${queue} ${status ?? ''} ${cause}`;
}

export function isIgnored(cause: string): boolean {
  return (ignored.value[cause] ?? 0) > serviceTime();
}

/** Ignores a cause for a day, or stops ignoring it. */
export function setIgnored(cause: string, isIt: boolean): void {
  const now = serviceTime();
  const others = Object.entries(ignored.value).filter(
    ([each, until]) => each !== cause && until > now,
  );
  const entries = isIt ? [...others, [cause, now + DAY] as const] : others;
  ignored.value = Object.fromEntries(entries);
  keep(NAME, ignored.value);
}
