import { namePattern } from '../queues/name-pattern.ts';

/**
 * Whether names that match a pattern can be among those of a list such as `mail-*` and `!mail-vip`, of which the last
 * one that matches decides. Several exclusions that only together leave out the whole pattern are not noticed.
 *
 * @param patterns null for all names.
 */
export function includesSome(patterns: readonly string[] | null, wanted: string): boolean {
  if (patterns === null) return true;
  let isIncluded = patterns.every(isExclusion);
  for (const pattern of patterns) {
    if (!isExclusion(pattern)) isIncluded ||= overlap(pattern, wanted);
    else if (namePattern(pattern.slice(1))(wanted)) isIncluded = false;
  }
  return isIncluded;
}

function isExclusion(pattern: string): boolean {
  return pattern.startsWith('!');
}

/** Between the fixed ends of two patterns with a `*` each, there is room for all that stands between in both. */
function overlap(one: string, other: string): boolean {
  if (!one.includes('*')) return namePattern(other)(one);
  if (!other.includes('*')) return namePattern(one)(other);
  const starts = [one, other].map((pattern) => pattern.slice(0, pattern.indexOf('*')));
  const ends = [one, other].map((pattern) => pattern.slice(pattern.lastIndexOf('*') + 1));
  return (
    isEitherWay(starts, (text, part) => text.startsWith(part)) &&
    isEitherWay(ends, (text, part) => text.endsWith(part))
  );
}

function isEitherWay(
  [one = '', other = '']: readonly string[],
  holds: (text: string, part: string) => boolean,
): boolean {
  return holds(one, other) || holds(other, one);
}
