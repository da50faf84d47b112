import { counted, invalidRequest } from '../errors.ts';
import { namePatterns, namePatternShape } from '../queues/name-pattern.ts';
import { isObject } from '../values/json.ts';
import {
  bounded,
  listOf,
  nonEmpty,
  object,
  optional,
  type Shape,
  type Shaped,
} from '../values/shape.ts';
import { excerpt, fitsInBytes } from '../values/text.ts';
import {
  conditionOf,
  CONDITION_SCHEMA,
  MOST_FILTER_BYTES,
  MOST_VALUES,
  valuesIn,
  type Condition,
} from './condition.ts';
import type { MatchedMessage } from './matched-message.ts';

/** How many keys of `data` a filter has at most. */
const MOST_KEYS = 5;

const NOT_EMPTY = 'be an array, not empty, of values and operators';

/** The conditions by the paths of values. What they must be is checked where they are compiled, each by its path. */
const conditionsShape: Shape<Readonly<Record<string, unknown>>> = bounded(MOST_KEYS, {
  must: 'be an object of paths and lists of values',
  accepts: (value): value is Readonly<Record<string, unknown>> => isObject(value),
  schema: {
    type: 'object',
    additionalProperties: {
      type: 'array',
      minItems: 1,
      maxItems: MOST_VALUES,
      items: CONDITION_SCHEMA,
    },
    examples: [{ 'customer.country': ['de', { prefix: 'a' }], total: [{ numeric: ['>=', 10] }] }],
  },
});

/** Which messages a subscription gets (further contract, section 23, "Topics"). */
export const filterShape = object('TopicFilter', {
  name: optional(
    bounded(
      MOST_VALUES,
      nonEmpty(
        listOf(namePatternShape),
        'be an array, not empty, of names, in which "*" matches any characters',
      ),
    ),
    'Names of messages, of which one must match',
  ),
  data: optional(
    conditionsShape,
    'Paths into the data, with dots: all must match, each by one of its values or operators. At ' +
      `most ${MOST_VALUES} values in all`,
  ),
});

export type Filter = Shaped<typeof filterShape>;

/** Whether a message matches. */
export type Matches = (message: MatchedMessage) => boolean;

/**
 * Prepares a filter, so that each message costs little.
 *
 * @throws DomainError `invalid-request` naming the field under `filter`.
 */
export function compiledFilter(filter: Filter = {}): Matches {
  const text = JSON.stringify(filter);
  if (!fitsInBytes(text, MOST_FILTER_BYTES)) {
    throw invalidRequest(`filter must be of at most ${MOST_FILTER_BYTES} bytes of JSON`, 'filter');
  }
  // Not every store keeps one.
  if (text.includes('\\u0000')) throw invalidRequest('filter must not contain NUL', 'filter');
  const { name, data = {} } = filter;
  const keys = Object.entries(data).map(([path, listed]) => keyOf(path, listed));
  const values = keys.reduce((sum, key) => sum + key.values, name?.length ?? 0);
  if (values > MOST_VALUES) {
    throw invalidRequest(`filter must have at most ${counted(MOST_VALUES, 'value')}`, 'filter');
  }
  const isNamed = name && namePatterns(name);
  return (message) =>
    (isNamed === undefined || isNamed(message.name)) &&
    keys.every(({ path, conditions }) => {
      const found = message.at(path);
      return conditions.some((condition) => condition(found));
    });
}

interface Key {
  readonly path: string;
  readonly conditions: readonly Condition[];
  readonly values: number;
}

function keyOf(path: string, listed: unknown): Key {
  const field = excerpt(`filter.data.${path === '' ? '""' : path}`);
  if (!Array.isArray(listed) || listed.length === 0) {
    throw invalidRequest(`${field} must ${NOT_EMPTY}`, field);
  }
  const conditions = listed.map((each: unknown, at) => conditionOf(each, `${field}[${at}]`));
  const values = listed.reduce<number>((sum, each) => sum + valuesIn(each), 0);
  return { path, conditions, values };
}
