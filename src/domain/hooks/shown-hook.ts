import { hiddenHeaders } from '../calls/called-secrets.ts';
import { without } from '../values/without.ts';
import type { Hook } from './hook.ts';

/** A hook in a form that may be shown. */
export type ShownHook = Omit<Hook, 'secrets' | 'data'>;

/** The hook without secrets, and without the values of its headers. */
export function shownHook(hook: Hook): ShownHook {
  const shown = without(without(hook, 'secrets'), 'data');
  return { ...shown, ...(hook.headers && { headers: hiddenHeaders(hook.headers) }) };
}
