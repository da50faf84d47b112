import { namePattern } from '../queues/name-pattern.ts';
import type { Access, Caller } from './caller.ts';
import { queuePatterns } from './queue-patterns.ts';

/**
 * Whether a caller has every permission of an access: it can grant no more than it has (platform contract, section 11).
 * Queue patterns are compared as patterns; when that cannot decide, the answer is no. Each pattern of the access is
 * compared once with each of the caller.
 */
export function covers(caller: Caller, { rights, queues }: Access): boolean {
  return rights.every((right) => caller.may(right)) && coversQueues(caller.queues, queues);
}

/** An entry of a list of patterns. */
interface PatternRule {
  readonly excludes: boolean;
  readonly pattern: string;
  /** Whether it matches everything that another pattern matches. Only a "*" matches a "*" of the other. */
  readonly contains: (other: string) => boolean;
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
    const excludedAt = wanted.findLastIndex((each) => each.excludes && each.contains(pattern));
    return [{ pattern, place, excludedAt }];
  });
  return wanted.every(({ excludes, pattern, contains }, place) => {
    if (excludes) return true;
    if (!pattern.includes('*')) return mayUse(pattern);
    const start = own.findLastIndex((each) => !each.excludes && each.contains(pattern));
    if (start === -1) return false;
    // What the caller may not use is apart from the pattern, or excluded from it too.
    return exclusions.every(
      (each) =>
        each.place < start ||
        each.excludedAt > place ||
        (!each.pattern.includes('*') && !contains(each.pattern)),
    );
  });
}

/** A list of exclusions alone means all other queues. */
function rulesOf(patterns: readonly string[]): readonly PatternRule[] {
  const isExcluding = patterns.every((each) => each.startsWith('!'));
  return (isExcluding ? ['*', ...patterns] : patterns).map((each) => {
    const excludes = each.startsWith('!');
    const pattern = excludes ? each.slice(1) : each;
    return { excludes, pattern, contains: namePattern(pattern) };
  });
}
