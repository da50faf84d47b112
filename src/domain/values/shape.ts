import { isObject, type Json } from './json.ts';
import { hasNul } from './text.ts';

/**
 * The constraints of a value, declared once. A shape yields the checks of entities, the error messages of every
 * interface, the fast predicate of the hot path, the TypeScript type and the API documentation.
 */
export interface Shape<T> {
  /** Completes the sentence "<field> must ...", which is the message that a client reads. */
  readonly must: string;
  /** Whether the whole value, with all its parts, has the shape. Unknown fields are refused. */
  readonly accepts: (value: unknown) => value is T;
  /** The equivalent JSON Schema 2020-12, as far as it can express the rules. A `title` names a schema of its own. */
  readonly schema: JsonSchema;
  /** The parts of the value, in which an error can be located; absent when it has no parts. */
  readonly parts?: Parts;
}

/** The TypeScript type of what a shape accepts. */
export type Shaped<S> = S extends Shape<infer T> ? T : never;

export type JsonSchema = Readonly<Record<string, unknown>>;

export type Parts =
  | { readonly kind: 'object'; readonly fields: Fields }
  | { readonly kind: 'map'; readonly name: Shape<string>; readonly value: Shape<unknown> }
  | { readonly kind: 'list'; readonly item: Shape<unknown> }
  | {
      readonly kind: 'either';
      readonly shapes: readonly Shape<unknown>[];
      /** The alternatives that a value may match. */
      readonly choose: (value: unknown) => Shape<unknown>;
      /** The choice as data; absent when it cannot be written so. */
      readonly by?: ChoiceByType | ChoiceBySize | ChoiceByNul;
    };

/** Values of the type match the first shape, all others the second. */
export interface ChoiceByType {
  readonly type: 'number' | 'string' | 'boolean';
}

/** Values of more characters, items or fields match the first shape, which accepts none, all others the second. */
export interface ChoiceBySize {
  readonly most: number;
}

/** Strings with a NUL that are right otherwise match the first shape, which accepts none, all other values the second. */
export interface ChoiceByNul {
  readonly nul: true;
}

/** A field of an object. */
export interface Field<T = unknown, Required extends boolean = boolean> {
  readonly shape: Shape<T>;
  readonly isRequired: Required;
  /** Its meaning, for the documentation. */
  readonly description: string;
  /** Its meaning where the service returns the stored value. */
  readonly storedDescription: string;
}

export type Fields = Readonly<Record<string, Field>>;

type RequiredName<F extends Fields> = {
  [Name in keyof F]: F[Name]['isRequired'] extends true ? Name : never;
}[keyof F];

/** The type of an object with these fields. */
export type Members<F extends Fields> = {
  readonly [Name in RequiredName<F>]: Shaped<F[Name]['shape']>;
} & {
  readonly [Name in Exclude<keyof F, RequiredName<F>>]?: Shaped<F[Name]['shape']>;
};

/** Flattens an intersection into one object type, which reads better in compiler messages. */
type Joined<T> = { [Name in keyof T]: T[Name] };

export function required<T>(
  shape: Shape<T>,
  description: string,
  storedDescription = description,
): Field<T, true> {
  return { shape, isRequired: true, description, storedDescription };
}

export function optional<T>(
  shape: Shape<T>,
  description: string,
  storedDescription = description,
): Field<T, false> {
  return { shape, isRequired: false, description, storedDescription };
}

/** A safe integer, bounds included. */
export function integer(least: number, most = Number.MAX_SAFE_INTEGER): Shape<number> {
  const hasEnd = most !== Number.MAX_SAFE_INTEGER;
  return {
    must: `be an integer ${hasEnd ? `from ${least} to ${most}` : `of at least ${least}`}`,
    accepts: (value): value is number =>
      Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most,
    schema: { type: 'integer', minimum: least, maximum: most },
  };
}

/** A point in time, in milliseconds since 1970. */
export const time = integer(0);

/** Any number between the bounds, which are included. */
export function numberFrom(least: number, most: number): Shape<number> {
  return {
    must: `be a number from ${least} to ${most}`,
    accepts: (value): value is number =>
      typeof value === 'number' && value >= least && value <= most,
    schema: { type: 'number', minimum: least, maximum: most },
  };
}

export const boolean: Shape<boolean> = {
  must: 'be true or false',
  accepts: (value): value is boolean => typeof value === 'boolean',
  schema: { type: 'boolean' },
};

export const onlyTrue: Shape<true> = {
  must: 'be true',
  accepts: (value): value is true => value === true,
  schema: { type: 'boolean', const: true },
};

export function oneOf<const Values extends readonly string[]>(
  ...values: Values
): Shape<Values[number]> {
  return {
    must: `be ${[values.slice(0, -1).join(', '), values.at(-1)].filter(Boolean).join(' or ')}`,
    accepts: (value): value is Values[number] =>
      typeof value === 'string' && values.includes(value),
    schema: { type: 'string', enum: values },
  };
}

/** The same words, regardless of case. */
export function inAnyCase({ must, accepts, schema }: Shape<string>): Shape<string> {
  const words = schema['enum'] as readonly string[];
  return {
    must,
    accepts: (value): value is string => typeof value === 'string' && accepts(value.toLowerCase()),
    schema: { ...schema, enum: [...words, ...words.map((word) => word.toUpperCase())] },
  };
}

export const number: Shape<number> = {
  must: 'be a number',
  accepts: (value): value is number => typeof value === 'number',
  schema: { type: 'number' },
};

/**
 * A string with a custom rule and without NUL, so that every store keeps it. `keywords` express as much of the rule as
 * JSON Schema can.
 */
export function text(
  must: string,
  isRight: (text: string) => boolean,
  keywords: JsonSchema = {},
): Shape<string> {
  const shape = anyText(must, isRight, keywords);
  const isRightWithNul = (value: unknown): boolean => shape.accepts(value) && hasNul(value);
  return {
    ...shape,
    accepts: (value): value is string => shape.accepts(value) && !hasNul(value),
    parts: {
      kind: 'either',
      shapes: [withNul, shape],
      choose: (value) => (isRightWithNul(value) ? withNul : shape),
      by: { nul: true },
    },
  };
}

/** As `text`, for what is compared or replaced before it is stored: it may have a NUL. */
export function anyText(
  must: string,
  isRight: (text: string) => boolean,
  keywords: JsonSchema = {},
): Shape<string> {
  return {
    must,
    accepts: (value): value is string => typeof value === 'string' && isRight(value),
    schema: { type: 'string', ...keywords },
  };
}

/** Any string: for answers, and for what is not stored as it is. */
export const string = anyText('be a string', () => true);

const withNul = anyText('not contain NUL', () => false);

/** Any value except undefined. */
export const anyJson: Shape<Json> = {
  must: 'be present (any JSON value)',
  accepts: (value): value is Json => value !== undefined,
  schema: {},
};

export function nullable<T>(shape: Shape<T>): Shape<T | null> {
  return {
    must: `${shape.must}, or null`,
    accepts: (value): value is T | null => value === null || shape.accepts(value),
    schema: { anyOf: [shape.schema, { type: 'null' }] },
  };
}

const nothing: Shape<null> = {
  must: 'be null',
  accepts: (value): value is null => value === null,
  schema: { type: 'null' },
};

/** The value or null, as `nullable`, with the mistakes of the value located in its parts and named in its words. */
export function orNull<T>(shape: Shape<T>): Shape<T | null> {
  const { parts } = shape;
  return {
    ...nullable(shape),
    parts: {
      kind: 'either',
      shapes: [nothing, shape],
      choose: (value) => {
        if (value === null) return nothing;
        return parts?.kind === 'either' ? parts.choose(value) : shape;
      },
    },
  };
}

/** Values of one type must match the first shape, all others the second. */
export function either<One, Other>(
  type: 'number' | 'string' | 'boolean',
  one: Shape<One>,
  other: Shape<Other>,
): Shape<One | Other> {
  const { accepts: acceptsOne } = one;
  const { accepts: acceptsOther } = other;
  return {
    must: other.must,
    accepts: (value): value is One | Other =>
      typeof value === type ? acceptsOne(value) : acceptsOther(value),
    schema: { anyOf: [one.schema, other.schema] },
    parts: {
      kind: 'either',
      shapes: [one, other],
      choose: (value) => (typeof value === type ? one : other),
      by: { type },
    },
  };
}

/** An object with exactly these fields. */
export function object<F extends Fields>(
  title: string,
  fields: F,
  must = 'be an object',
): Shape<Joined<Members<F>>> {
  const entries = Object.entries(fields);
  const requiredNames = entries.filter(([, { isRequired }]) => isRequired).map(([name]) => name);
  const properties = entries.map(([name, { shape, description }]) => [
    name,
    { ...shape.schema, description },
  ]);
  return {
    must,
    accepts: isObjectOf(fields) as Shape<Joined<Members<F>>>['accepts'],
    schema: {
      title,
      type: 'object',
      properties: Object.fromEntries(properties) as JsonSchema,
      ...(requiredNames.length > 0 && { required: requiredNames }),
      additionalProperties: false,
    },
    parts: { kind: 'object', fields },
  };
}

/** Allocates nothing, since it is called for every job of a batch. */
function isObjectOf(fields: Fields): (value: unknown) => boolean {
  const members = new Map(
    Object.entries(fields).map(([name, { shape, isRequired }]) => [
      name,
      { accepts: shape.accepts, isRequired },
    ]),
  );
  const requiredCount = [...members.values()].filter((each) => each.isRequired).length;
  return (value) => {
    if (!isObject(value)) return false;
    let found = 0;
    // JSON values inherit no enumerable properties, so these are the object's own names.
    for (const name in value) {
      const member = members.get(name);
      if (member?.accepts(value[name]) !== true) return false;
      if (member.isRequired) found += 1;
    }
    return found === requiredCount;
  };
}

/** An object whose names and values are chosen by the client. */
export function mapOf<T>(
  name: Shape<string>,
  value: Shape<T>,
  must: string,
): Shape<Readonly<Record<string, T>>> {
  return {
    must,
    accepts: (map): map is Readonly<Record<string, T>> =>
      isObject(map) &&
      Object.entries(map).every(([key, each]) => name.accepts(key) && value.accepts(each)),
    schema: { type: 'object', propertyNames: name.schema, additionalProperties: value.schema },
    parts: { kind: 'map', name, value },
  };
}

/** A mistake is located in its items if these are objects; otherwise the list is named as a whole, with their rule. */
export function listOf<T>(item: Shape<T>): Shape<readonly T[]> {
  const isOfObjects = item.parts?.kind === 'object';
  return {
    must: isOfObjects ? 'be an array' : `be an array; each item must ${item.must}`,
    accepts: (value): value is readonly T[] =>
      Array.isArray(value) && value.every((each) => item.accepts(each)),
    schema: { type: 'array', items: item.schema },
    ...(isOfObjects && { parts: { kind: 'list', item } }),
  };
}

/** A list with at least one item. */
export function nonEmpty<T>(
  { accepts, schema, parts }: Shape<readonly T[]>,
  must: string,
): Shape<readonly T[]> {
  return {
    must,
    ...(parts && { parts }),
    accepts: (value): value is readonly T[] => accepts(value) && value.length > 0,
    schema: { ...schema, minItems: 1 },
  };
}

interface Size {
  /** What bounds it in JSON Schema. */
  readonly keyword: string;
  readonly unit: string;
  /** 0 for a value of another type. */
  readonly of: (value: unknown) => number;
}

/** How the size of a value of a type is bounded and counted. */
const SIZES: Readonly<Record<string, Size>> = {
  string: {
    keyword: 'maxLength',
    unit: 'characters',
    of: (value) => (typeof value === 'string' ? value.length : 0),
  },
  array: {
    keyword: 'maxItems',
    unit: 'items',
    of: (value) => (Array.isArray(value) ? value.length : 0),
  },
  object: {
    keyword: 'maxProperties',
    unit: 'fields',
    of: (value) => (isObject(value) ? Object.keys(value).length : 0),
  },
};

/**
 * A string, array or map that a client can make long, with the most characters, items or fields that it may have. A
 * longer one is refused in words of its own.
 */
export function bounded<T>(most: number, shape: Shape<T>): Shape<T> {
  const size = SIZES[String(shape.schema['type'])];
  if (size === undefined) throw new Error(`"${shape.must}" has no size`);
  const isTooLong = (value: unknown): boolean => size.of(value) > most;
  const { accepts } = shape;
  const tooLong = anyText(`have at most ${most} ${size.unit}`, () => false);
  return {
    ...shape,
    // The size first: what is too long is not looked through.
    accepts: (value): value is T => !isTooLong(value) && accepts(value),
    schema: { ...shape.schema, [size.keyword]: most },
    parts: {
      kind: 'either',
      shapes: [tooLong, shape],
      choose: (value) => {
        if (isTooLong(value)) return tooLong;
        return shape.parts?.kind === 'either' ? shape.parts.choose(value) : shape;
      },
      by: { most },
    },
  };
}
