import { text, type Shape } from './shape.ts';

/** A name that a client chooses, of characters that a path takes as they are. */
export function plainName(example: string): Shape<string> {
  return text(
    'be a string of 1 to 100 characters of A-Za-z0-9._-',
    (name) => /^[A-Za-z0-9._-]{1,100}$/.test(name),
    { minLength: 1, maxLength: 100, pattern: '^[A-Za-z0-9._-]+$', examples: [example] },
  );
}
