import fc from 'fast-check';
import { anyCharacter } from './any-character.ts';

const text = fc
  .array(fc.oneof(anyCharacter, fc.constantFrom('\0', '\ud83d', '\ude00', '"', '\\', '\\u0000')), {
    maxLength: 12,
  })
  .map((characters) => characters.join(''));

/** A string of any characters, halves of surrogate pairs included, as JSON that escapes some of them or all. */
export const anyString = fc
  .tuple(text, fc.boolean())
  .map(([string, escapesAll]) => (escapesAll ? escaped(string) : JSON.stringify(string)));

const someNumber = fc.constantFrom(
  ...['0', '-0', '1.0', '1E2', '0.1', '1e400', '-1e400', '1e-400', '9007199254740993'],
);

const deepNesting = fc
  .constantFrom(100, 490, 600, 5000)
  .map((levels) => '['.repeat(levels) + ']'.repeat(levels));

const key = fc.oneof(fc.constantFrom('"a"', '"__proto__"', '""'), anyString);

/** JSON as only a program writes it: any string, numbers that no double holds, names that occur again, deep nesting. */
export const anyJsonText: fc.Arbitrary<string> = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    anyString,
    someNumber,
    fc.constantFrom('null', 'true'),
    deepNesting,
    fc.array(tie('value'), { maxLength: 3 }).map((items) => `[${items.join(',')}]`),
    fc
      .array(fc.tuple(key, tie('value')), { maxLength: 4 })
      .map((fields) => `{${fields.map(([name, value]) => `${name}:${value}`).join(',')}}`),
  ),
})).value;

/** The body of a report or an answer that is JSON, text, or neither. */
export const anyBody: fc.Arbitrary<Buffer> = fc.oneof(
  anyJsonText.map((json) => Buffer.from(json)),
  text.map((plain) => Buffer.from(plain)),
  fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes)),
);

function escaped(string: string): string {
  const units = Array.from({ length: string.length }, (_, index) => string.charCodeAt(index));
  return `"${units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')}"`;
}
