import { isObject } from '../values/json.ts';

/** The options of a job that name what is called. Their URLs and values of headers often are secrets. */
export const CALLED_OPTIONS = ['callback', 'endpoint'] as const;

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
