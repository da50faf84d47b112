import { cut } from '../output/width.ts';
import type { Difference } from './differences.ts';

/** Longest value that is shown of a field. */
const VALUE = 60;

/** A difference on one line, such as `signing: true -> (none)`. */
export function transition({ field, from, to }: Difference): string {
  return `${field}: ${shown(from)} -> ${shown(to)}`;
}

/** A value of a field as JSON, cut. */
export function shown(value: unknown): string {
  return value === undefined ? '(none)' : cut(JSON.stringify(value), VALUE);
}
