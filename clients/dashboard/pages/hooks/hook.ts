import type { Hook } from '../../../typescript/src/api.ts';

/** The fields of a hook that the service sets. */
const OWN: ReadonlySet<string> = new Set(['id', 'createdAt', 'pausedReason', 'unreadable']);

/** The fields of a hook that a client sets. */
export function settingsOf(hook: Hook): object {
  return Object.fromEntries(Object.entries(hook).filter(([name]) => !OWN.has(name)));
}

/** Whether a hook sends messages, and what keeps it from doing so. */
export function stateOf({ paused, unreadable }: Hook): string {
  if (unreadable !== undefined) return 'disabled';
  return paused ? 'paused' : 'ready';
}
