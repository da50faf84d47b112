import { bounded, text, type Shape } from '../values/shape.ts';

/** Most characters of a pattern. */
export const PATTERN_LENGTH = 200;

/** The shape of patterns of names, in which `*` matches any characters or none. */
export function patternShape(isRight: (pattern: string) => boolean): Shape<string> {
  return bounded(
    PATTERN_LENGTH,
    text('be a name, in which "*" stands for any characters', isRight, {
      minLength: 1,
      examples: ['mail-*'],
    }),
  );
}

/** A pattern of names: `*` matches any characters or none; nothing else is special. */
export const namePatternShape = patternShape((pattern) => pattern !== '');

/** Whether a name matches one of the patterns; every name does without a list of them. */
export function namePatterns(patterns: readonly string[] = ['*']): (name: string) => boolean {
  const matches = patterns.map((pattern) => namePattern(pattern));
  return (name) => matches.some((isOne) => isOne(name));
}

/** Whether a name matches the pattern, in time bounded by the lengths of both; every name does without one. */
export function namePattern(pattern = '*'): (name: string) => boolean {
  const [start = '', ...rest] = pattern.split('*');
  const end = rest.pop();
  if (end === undefined) return (name) => name === pattern;
  return (name) => {
    if (!name.startsWith(start)) return false;
    let from = start.length;
    // Taking the first match of each part leaves the most room for the following parts.
    for (const part of rest) {
      const at = name.indexOf(part, from);
      if (at === -1) return false;
      from = at + part.length;
    }
    return name.length - end.length >= from && name.endsWith(end);
  };
}
