import { invalidRequest } from '../errors.ts';
import { isObject } from '../values/json.ts';
import { boolean, oneOf, string } from '../values/shape.ts';
import { excerpt } from '../values/text.ts';
import type { FoundValues } from './matched-message.ts';

/** Whether what a message has at a path satisfies a value or an operator of a filter. */
export type Condition = (found: FoundValues) => boolean;

/** @param path of the operand, for errors. */
type Operator = (operand: unknown, path: string) => Condition;

type Compare = (value: number, to: number) => boolean;

const COMPARISONS: ReadonlyMap<unknown, Compare> = new Map<unknown, Compare>([
  ['=', (value, to) => value === to],
  ['<', (value, to) => value < to],
  ['<=', (value, to) => value <= to],
  ['>', (value, to) => value > to],
  ['>=', (value, to) => value >= to],
]);

const WORDS = oneOf('=', '<', '<=', '>', '>=');

/** A range has two comparisons, each a word and a number. */
const MOST_NUMERIC = 4;

/** How many values the lists of a filter have together at most, and how many bytes a filter as JSON. */
export const MOST_VALUES = 150;
export const MOST_FILTER_BYTES = 4096;

const TEXT = { type: 'string', maxLength: MOST_FILTER_BYTES };

const SCALARS = [TEXT, ...['number', 'boolean', 'null'].map((type) => ({ type }))];

const OPERATORS: ReadonlyMap<string, Operator> = new Map<string, Operator>([
  ['prefix', (operand, path) => ofTexts(operand, path, (value, text) => value.startsWith(text))],
  ['suffix', (operand, path) => ofTexts(operand, path, (value, text) => value.endsWith(text))],
  [
    'anything-but',
    (operand, path) => {
      const isList = Array.isArray(operand) && operand.length > 0 && operand.every(isScalar);
      if (!isList)
        throw mistake(path, 'be an array, not empty, of strings, numbers, true, false or null');
      const refused = new Set<unknown>(operand);
      return some((value) => !refused.has(value));
    },
  ],
  ['numeric', ofNumbers],
  [
    'exists',
    (operand, path) => {
      if (!boolean.accepts(operand)) throw mistake(path, boolean.must);
      return ({ isThere }) => isThere === operand;
    },
  ],
]);

/** A value or an operator in the JSON Schema of filters. */
export const CONDITION_SCHEMA = {
  anyOf: [
    ...SCALARS,
    {
      title: 'TopicOperator',
      type: 'object',
      properties: {
        prefix: TEXT,
        suffix: TEXT,
        'anything-but': {
          type: 'array',
          minItems: 1,
          maxItems: MOST_VALUES,
          items: { anyOf: SCALARS },
        },
        numeric: {
          type: 'array',
          minItems: 2,
          maxItems: MOST_NUMERIC,
          items: { anyOf: [WORDS.schema, { type: 'number' }] },
        },
        exists: { type: 'boolean' },
      },
      minProperties: 1,
      maxProperties: 1,
      additionalProperties: false,
    },
  ],
};

/**
 * Prepares a value of a filter, which must be equal, or an operator.
 *
 * @param path of it, for errors.
 * @throws DomainError `invalid-request` naming the field.
 */
export function conditionOf(listed: unknown, path: string): Condition {
  if (isScalar(listed)) return ({ values }) => values.has(listed);
  const names = isObject(listed) ? Object.keys(listed) : [];
  const unknown = names.find((name) => !OPERATORS.has(name));
  if (unknown !== undefined) {
    const field = excerpt(`${path}.${unknown}`);
    throw invalidRequest(`${field} is not a known operator`, field);
  }
  const [name = '', ...others] = names;
  const operator = OPERATORS.get(name);
  if (!isObject(listed) || operator === undefined || others.length > 0) {
    throw mistake(path, 'be a string, a number, true, false, null or an object with one operator');
  }
  return operator(listed[name], `${path}.${name}`);
}

/** How many values it counts as. */
export function valuesIn(listed: unknown): number {
  const refused = isObject(listed) ? listed['anything-but'] : undefined;
  return Array.isArray(refused) ? refused.length : 1;
}

function ofTexts(
  operand: unknown,
  path: string,
  isRight: (value: string, text: string) => boolean,
): Condition {
  if (!string.accepts(operand)) throw mistake(path, string.must);
  return some((value) => typeof value === 'string' && isRight(value, operand));
}

function ofNumbers(operand: unknown, path: string): Condition {
  const given: readonly unknown[] = Array.isArray(operand) ? operand : [];
  if (given.length === 0 || given.length > MOST_NUMERIC || given.length % 2 > 0) {
    throw mistake(path, 'be an array of one or two comparisons, such as [">=", 10, "<", 20]');
  }
  const compares = given.flatMap((word, at) => {
    if (at % 2 > 0) return [];
    const [compare, to] = [COMPARISONS.get(word), given[at + 1]];
    if (compare === undefined) throw mistake(`${path}[${at}]`, WORDS.must);
    if (typeof to !== 'number') throw mistake(`${path}[${at + 1}]`, 'be a number');
    return (value: number) => compare(value, to);
  });
  return some((value) => typeof value === 'number' && compares.every((isRight) => isRight(value)));
}

/** An array matches when one of its elements does. */
function some(isRight: (value: unknown) => boolean): Condition {
  return ({ values }) => {
    for (const value of values) if (isRight(value)) return true;
    return false;
  };
}

function isScalar(value: unknown): value is string | number | boolean | null {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

function mistake(path: string, must: string): Error {
  return invalidRequest(`${path} must ${must}`, path);
}
