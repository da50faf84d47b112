import { hiddenHeaders } from '../calls/called-secrets.ts';
import { isObject } from '../values/json.ts';

/** The options that name what is called: header values in them often are secrets, and so are their URLs. */
export const CALLED_OPTIONS = ['callback', 'endpoint'] as const;

/** What is called as it may be shown, without the values of headers. @param called as any producer may have stored it. */
export function shownCalled<Called extends object>(called: Called): Called {
  const headers = 'headers' in called ? called.headers : undefined;
  return isObject(headers) ? { ...called, headers: hiddenHeaders(headers) } : called;
}

/** Options as they may be shown. @param opts as any producer may have stored them. */
export function shownOptions<Options>(opts: Options): Options {
  return withCalled(opts, shownCalled);
}

/** Options with other values for what is called. @param opts as any producer may have stored them. */
export function withCalled<Options>(
  opts: Options,
  change: (called: Readonly<Record<string, unknown>>) => object,
): Options {
  if (!isObject(opts)) return opts;
  const changed = CALLED_OPTIONS.flatMap((name) => {
    const called = opts[name];
    return isObject(called) ? [[name, change(called)] as const] : [];
  });
  return changed.length === 0 ? opts : { ...opts, ...Object.fromEntries(changed) };
}
