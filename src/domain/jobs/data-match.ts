import type { Json } from '../values/json.ts';
import { valueAt } from '../values/value-at.ts';

/** A value that the data of a job must contain, and its path. */
export interface DataMatch {
  /** The keys that lead to the value; numbers are array indexes. */
  readonly path: readonly string[];
  /** A string as is, or any other value as JSON. */
  readonly value: string;
}

/** Parses `customer.id:17`. Undefined unless there is a path before the colon. */
export function dataMatch(text: string): DataMatch | undefined {
  const colon = text.indexOf(':');
  if (colon < 1) return undefined;
  return { path: text.slice(0, colon).split('.'), value: text.slice(colon + 1) };
}

/** Whether the data contains a string, number, boolean or null with that value at the path. */
export function dataMatches({ path, value }: DataMatch, data: Json | undefined): boolean {
  const found = valueAt(path, data);
  if (typeof found === 'string') return found === value;
  return (found === null || typeof found !== 'object') && JSON.stringify(found) === value;
}
