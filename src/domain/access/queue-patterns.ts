import { isOwnQueue } from '../queues/own-queue.ts';
import { namePattern, PATTERN_LENGTH, patternShape } from '../queues/name-pattern.ts';
import { bounded, listOf, nonEmpty, type Shape } from '../values/shape.ts';

/** Whatever names queues compares each with all of its patterns. */
const MOST_PATTERNS = 100;

/** Patterns that no queue matches. */
export const NO_QUEUES: readonly string[] = ['!*'];

const queuePatternShape = patternShape((pattern) => pattern.replace(/^!/, '') !== '');

/** Patterns of queues, such as `mail-*` and `!mail-vip`. */
export const queuesShape: Shape<readonly string[]> = bounded(
  MOST_PATTERNS,
  nonEmpty(
    listOf(queuePatternShape),
    `be an array, not empty, of names of queues of up to ${PATTERN_LENGTH} characters, in which "*" stands for any characters and a "!" in front excludes`,
  ),
);

/** An entry of a list of patterns. */
interface PatternRule {
  readonly excludes: boolean;
  readonly pattern: string;
  /** Whether it matches a name, or everything that another pattern matches: only a "*" matches a "*" of the other. */
  readonly matches: (name: string) => boolean;
}

/** A list of exclusions alone means all other queues. */
function rulesOf(patterns: readonly string[]): readonly PatternRule[] {
  const isExcluding = patterns.every((each) => each.startsWith('!'));
  return (isExcluding ? ['*', ...patterns] : patterns).map((each) => {
    const excludes = each.startsWith('!');
    const pattern = excludes ? each.slice(1) : each;
    return { excludes, pattern, matches: namePattern(pattern) };
  });
}

/**
 * Whether a queue matches a list of patterns, such as `mail-*` and `!mail-vip`: the last one that matches decides.
 * Exclusions alone mean all other queues. No list matches a queue of the service itself. The time depends only on the
 * name and the patterns.
 *
 * @param patterns null for all queues.
 */
export function queuePatterns(patterns: readonly string[] | null): (queue: string) => boolean {
  if (patterns === null) return (queue) => !isOwnQueue(queue);
  const rules = rulesOf(patterns);
  return (queue) => {
    if (isOwnQueue(queue)) return false;
    let isIncluded = false;
    for (const { excludes, matches } of rules) if (matches(queue)) isIncluded = !excludes;
    return isIncluded;
  };
}

/**
 * Whether queues that match a pattern can be among those of a list. Several exclusions that only together leave out the
 * whole pattern are not noticed.
 *
 * @param patterns null for all queues.
 */
export function includesSome(patterns: readonly string[] | null, wanted: string): boolean {
  if (patterns === null) return true;
  let isIncluded = false;
  for (const { excludes, pattern, matches } of rulesOf(patterns)) {
    if (!excludes) isIncluded ||= overlap(pattern, wanted);
    else if (matches(wanted)) isIncluded = false;
  }
  return isIncluded;
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

/**
 * Whether patterns allow every queue that other patterns allow. When that cannot be decided, the answer is no.
 *
 * @param allowed null, like `given`, for all queues.
 */
export function coversQueues(
  allowed: readonly string[] | null,
  given: readonly string[] | null,
): boolean {
  if (allowed === null) return true;
  if (given === null) return false;
  const own = rulesOf(allowed);
  const mayUse = queuePatterns(allowed);
  const wanted = rulesOf(given);
  const exclusions = own.flatMap(({ excludes, pattern }, place) => {
    if (!excludes) return [];
    const excludedAt = wanted.findLastIndex((each) => each.excludes && each.matches(pattern));
    return [{ pattern, place, excludedAt }];
  });
  return wanted.every(({ excludes, pattern, matches }, place) => {
    if (excludes) return true;
    if (!pattern.includes('*')) return mayUse(pattern);
    const start = own.findLastIndex((each) => !each.excludes && each.matches(pattern));
    if (start === -1) return false;
    // What the caller may not use is apart from the pattern, or excluded from it too.
    return exclusions.every(
      (each) =>
        each.place < start ||
        each.excludedAt > place ||
        (!each.pattern.includes('*') && !matches(each.pattern)),
    );
  });
}
