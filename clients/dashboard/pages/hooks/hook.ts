import type { Hook } from '../../../typescript/src/api.ts';

/** Whether a hook sends messages, and what keeps it from doing so. */
export function stateOf({ paused, unreadable }: Hook): string {
  if (unreadable !== undefined) return 'disabled';
  return paused ? 'paused' : 'ready';
}
