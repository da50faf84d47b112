import { namePattern } from '../queues/name-pattern.ts';

/**
 * Whether a queue matches a list of patterns, such as `mail-*` and `!mail-vip`: the last one that matches decides.
 * Exclusions alone mean all other queues. The time depends only on the name and the patterns.
 *
 * @param patterns null for all queues.
 */
export function queuePatterns(patterns: readonly string[] | null): (queue: string) => boolean {
  if (patterns === null) return () => true;
  const rules = patterns.map((pattern) => {
    const excludes = pattern.startsWith('!');
    return { excludes, matches: namePattern(excludes ? pattern.slice(1) : pattern) };
  });
  const isIncludedAtFirst = rules.every(({ excludes }) => excludes);
  return (queue) => {
    let isIncluded = isIncludedAtFirst;
    for (const { excludes, matches } of rules) if (matches(queue)) isIncluded = !excludes;
    return isIncluded;
  };
}
