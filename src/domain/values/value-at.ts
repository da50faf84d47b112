import type { Json } from './json.ts';

/**
 * Returns the value at a path of keys, of which numbers are array indexes; undefined if the path leads nowhere.
 *
 * @param data any JSON value, or undefined for none.
 */
export function valueAt(path: readonly string[], data: Json | undefined): unknown {
  let found: unknown = data;
  for (const name of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name))
      return undefined;
    found = (found as Readonly<Record<string, unknown>>)[name];
  }
  return found;
}
