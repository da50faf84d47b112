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

/**
 * Whether a queue matches a list of patterns, such as `mail-*` and `!mail-vip`: the last one that matches decides.
 * Exclusions alone mean all other queues. No list matches a queue of the service itself. The time depends only on the
 * name and the patterns.
 *
 * @param patterns null for all queues.
 */
export function queuePatterns(patterns: readonly string[] | null): (queue: string) => boolean {
  if (patterns === null) return (queue) => !isOwnQueue(queue);
  const rules = patterns.map((pattern) => {
    const excludes = pattern.startsWith('!');
    return { excludes, matches: namePattern(excludes ? pattern.slice(1) : pattern) };
  });
  const isIncludedAtFirst = rules.every(({ excludes }) => excludes);
  return (queue) => {
    if (isOwnQueue(queue)) return false;
    let isIncluded = isIncludedAtFirst;
    for (const { excludes, matches } of rules) if (matches(queue)) isIncluded = !excludes;
    return isIncluded;
  };
}
