import type { Json } from '../../../src/domain/values/json.ts';

/** Values of every kind that JSON knows, with the ones a store could take for something else. */
export const JSON_VALUES: readonly (readonly [title: string, value: Json])[] = [
  ['null', null],
  ['0', 0],
  ['false', false],
  ['true', true],
  ['an empty string', ''],
  ['a string of digits', '0012'],
  ['a string that looks like JSON', '{"a":[1'],
  ['a fraction', -1.5e-7],
  ['the largest safe integer', Number.MAX_SAFE_INTEGER],
  ['a huge number', 1.7e308],
  ['an empty object', {}],
  ['an empty array', []],
  ['an array of empty values', [null, 0, false, '', [], {}]],
  ['nested objects', { a: { b: [{ c: null }, [1, [2, [3]]]] }, '': { ' ': 'x' } }],
  ['names that objects have already', JSON.parse('{"__proto__":{"a":1},"constructor":2}') as Json],
  ['text of every kind', 'ünïcode 日本語 🚀 \u0000\u0001\n\r\t"\\ \u2028 \ufeff'],
  ['a string of 1 MB', 'x'.repeat(1024 * 1024)],
];
