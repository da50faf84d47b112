import { withCalled } from '../access/called-options.ts';
import { hiddenHeaders } from '../calls/called-secrets.ts';
import { isObject } from '../values/json.ts';
import { without } from '../values/without.ts';

/**
 * What is called as it may be shown: without the values of headers, and without what a pushed message has beside its
 * destination. @param called as any producer may have stored it.
 */
export function shownCalled<Called extends object>(called: Called): Called {
  const bare = 'push' in called ? (without(called, 'push') as Called) : called;
  const headers = 'headers' in bare ? bare.headers : undefined;
  return isObject(headers) ? { ...bare, headers: hiddenHeaders(headers) } : bare;
}

/** Options as they may be shown. @param opts as any producer may have stored them. */
export function shownOptions<Options>(opts: Options): Options {
  return withCalled(opts, shownCalled);
}
