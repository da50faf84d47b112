import { namePattern } from '../queues/name-pattern.ts';
import type { Access, Caller } from './caller.ts';

/**
 * Whether a caller has every permission of an access: it can grant no more than it has (platform contract, section 11).
 * Queue patterns are compared as patterns; when that cannot decide, the answer is no.
 */
export function covers(caller: Caller, { rights, queues }: Access): boolean {
  return rights.every((right) => caller.may(right)) && coversQueues(caller, queues);
}

function coversQueues(caller: Caller, given: readonly string[] | null): boolean {
  if (caller.queues === null) return true;
  if (given === null) return false;
  const own = withStart(caller.queues);
  const wanted = withStart(given);
  return wanted.every((pattern, place) => {
    if (pattern.startsWith('!')) return true;
    if (!pattern.includes('*')) return caller.mayUse(pattern);
    const excluded = wanted.slice(place + 1).filter((each) => each.startsWith('!'));
    return isIncluded(pattern, own, excluded);
  });
}

/** A list of exclusions alone means all other queues. */
function withStart(patterns: readonly string[]): readonly string[] {
  return patterns.every((each) => each.startsWith('!')) ? ['*', ...patterns] : patterns;
}

/**
 * Whether one of the caller's patterns includes all of the pattern, and everything that a later one excludes is
 * excluded from it too.
 */
function isIncluded(pattern: string, own: readonly string[], excluded: readonly string[]): boolean {
  const start = own.findLastIndex((each) => !each.startsWith('!') && contains(each, pattern));
  if (start === -1) return false;
  const exclusions = own.slice(start + 1).filter((each) => each.startsWith('!'));
  return exclusions.every((each) => {
    const name = each.slice(1);
    const isApart = !name.includes('*') && !namePattern(pattern)(name);
    return isApart || excluded.some((other) => contains(other.slice(1), name));
  });
}

/** Whether a pattern matches everything that another one matches. Only a "*" matches a "*" of the other. */
function contains(pattern: string, other: string): boolean {
  return namePattern(pattern)(other);
}
