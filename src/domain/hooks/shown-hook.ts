import { hiddenHeaders } from '../calls/called-secrets.ts';
import { without } from '../values/without.ts';
import type { Hook, HookSettings } from './hook.ts';

/** A hook in a form that may be shown. */
export interface ShownHook extends HookSettings {
  readonly id: string;
  readonly pausedReason?: string;
  readonly createdAt: number;
  /** Why its secrets cannot be read, and its messages not sent. */
  readonly unreadable?: string;
}

/** The hook without secrets, and without the values of its headers. */
export function shownHook(hook: Hook): ShownHook {
  const shown = without(without(hook, 'secrets'), 'data');
  return { ...shown, ...(hook.headers && { headers: hiddenHeaders(hook.headers) }) };
}
