import { withCalled } from './called-options.ts';
import { parsedUrl } from '../values/parsed-url.ts';
import type { Caller } from './caller.ts';

/** Finds the right that shows whole URLs: a path or a query often is the secret of what listens there. */
const SEES_URLS = 'configure';

/**
 * A URL that is called, as a caller may see it: its origin alone without the right `configure`. Callers are shown the
 * URLs of queues that they may use, so the right is one for that queue.
 */
export function urlShownTo<Url extends string | null>(caller: Caller, url: Url): string | Url {
  return url === null || caller.may(SEES_URLS) ? url : (parsedUrl(url)?.origin ?? '');
}

/** An object with a `url`, as a caller may see it. */
export function calledShownTo<Called extends object>(caller: Caller, called: Called): Called {
  if (caller.may(SEES_URLS) || !('url' in called)) return called;
  const { url } = called;
  return typeof url === 'string' ? { ...called, url: urlShownTo(caller, url) } : called;
}

/** The options of a job, or what else may have a callback, as a caller may see it. */
export function optionsShownTo<Options>(caller: Caller, options: Options): Options {
  if (caller.may(SEES_URLS)) return options;
  return withCalled(options, (called) => calledShownTo(caller, called));
}
