import { isObject } from './json.ts';

/** JSON text that is the same for equal values, regardless of the order of object fields. */
export function orderedJson(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) =>
    isObject(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  );
}
