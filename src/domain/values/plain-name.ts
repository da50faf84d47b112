import { text, type Shape } from './shape.ts';

/** A name that a client chooses, which a path takes as it is: clients remove `.` and `..` from paths. */
export function plainName(example: string): Shape<string> {
  return text(
    'be a string of 1 to 100 characters of A-Za-z0-9._-, other than . and ..',
    (name) => /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,100}$/.test(name),
    {
      minLength: 1,
      maxLength: 100,
      pattern: '^(?!\\.{1,2}$)[A-Za-z0-9._-]+$',
      examples: [example],
    },
  );
}
