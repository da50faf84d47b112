import { withCalled } from '../access/called-options.ts';
import { hiddenHeaders } from '../calls/called-secrets.ts';
import { isObject } from '../values/json.ts';

/** What is called as it may be shown, without the values of headers. @param called as any producer may have stored it. */
export function shownCalled<Called extends object>(called: Called): Called {
  const headers = 'headers' in called ? called.headers : undefined;
  return isObject(headers) ? { ...called, headers: hiddenHeaders(headers) } : called;
}

/** Options as they may be shown. @param opts as any producer may have stored them. */
export function shownOptions<Options>(opts: Options): Options {
  return withCalled(opts, shownCalled);
}
