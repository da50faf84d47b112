import fc from 'fast-check';
import { anyCharacter } from './any-character.ts';

/** As much of JSON Schema as the document of the service uses. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly examples?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly propertyNames?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly minimum?: number;
  readonly maximum?: number;
}

/** Deeper values are left out. */
const DEEPEST = 8;

/** One value in so many is not of its schema. */
const RIGHT = 15;

/** Nothing listens there, and nothing outside of this machine is asked for. */
const NOWHERE = 'http://127.0.0.1:9/';

const text = fc.oneof(
  fc.constantFrom('mail', '1', 'meta', '__proto__', 'constructor', '.', '..', '', 'a:b', '*', '\0'),
  fc.string({ unit: anyCharacter, maxLength: 12 }),
  fc.constant('x'.repeat(300)),
);

const scalar = fc.oneof(
  text,
  fc.integer(),
  fc.double({ noNaN: true }),
  fc.boolean(),
  fc.constantFrom(null, 1e308, -0, 2 ** 53),
);

/** Any JSON, half surrogates and NUL among it. */
const anything = fc.oneof(
  scalar,
  fc.array(scalar, { maxLength: 3 }),
  fc.dictionary(text, scalar, { maxKeys: 3 }),
  fc.jsonValue({ maxDepth: 3 }),
);

/** Values that have the shape of a schema, but for a few places in which anything may stand. */
export class ValuesOfSchema {
  readonly #schemas: Readonly<Record<string, Schema>>;

  /** @param schemas by the last part of their `$ref`. */
  constructor(schemas: Readonly<Record<string, Schema>>) {
    this.#schemas = schemas;
  }

  of(schema: Schema | undefined, depth = 0): fc.Arbitrary<unknown> {
    if (schema === undefined || depth > DEEPEST) return anything;
    return fc.oneof(
      { weight: RIGHT, arbitrary: this.#right(schema, depth) },
      { weight: 1, arbitrary: anything },
    );
  }

  #right(schema: Schema, depth: number): fc.Arbitrary<unknown> {
    if (schema.$ref !== undefined) {
      return this.of(this.#schemas[schema.$ref.split('/').at(-1) ?? ''], depth + 1);
    }
    if ('const' in schema) return fc.constant(schema.const);
    if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
    if (schema.anyOf !== undefined) {
      return fc.oneof(...schema.anyOf.map((one) => this.#right(one, depth + 1)));
    }
    const types = [schema.type ?? []].flat();
    if (types.length === 0) return anything;
    return fc.oneof(...types.map((type) => this.#ofType(type, schema, depth)));
  }

  #ofType(type: string, schema: Schema, depth: number): fc.Arbitrary<unknown> {
    switch (type) {
      case 'null':
        return fc.constant(null);
      case 'boolean':
        return fc.boolean();
      case 'integer':
      case 'number':
        return numberOf(schema);
      case 'array':
        return fc.array(this.of(schema.items, depth + 1), { maxLength: 3 });
      case 'object':
        return this.#object(schema, depth);
      default:
        return stringOf(schema);
    }
  }

  #object(schema: Schema, depth: number): fc.Arbitrary<unknown> {
    const { properties, required = [], additionalProperties } = schema;
    if (properties === undefined) {
      const values = typeof additionalProperties === 'object' ? additionalProperties : undefined;
      const keys = schema.propertyNames === undefined ? text : stringOf(schema.propertyNames);
      return fc.dictionary(keys, this.of(values, depth + 1), { maxKeys: 3 });
    }
    const fields = Object.entries(properties).map(
      ([name, field]) => [name, this.#field(name, field, depth)] as const,
    );
    return fc.record(Object.fromEntries(fields), { requiredKeys: [...required] });
  }

  /** No request of a test waits. */
  #field(name: string, field: Schema, depth: number): fc.Arbitrary<unknown> {
    return name === 'wait' ? fc.constantFrom(0, -1, 'x') : this.of(field, depth + 1);
  }
}

function stringOf({ examples = [] }: Schema): fc.Arbitrary<string> {
  const strings = examples.filter((example) => typeof example === 'string');
  const local = strings.map((example) => (/^https?:/.test(example) ? NOWHERE : example));
  if (local.length === 0) return text;
  return fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...local) }, text);
}

function numberOf({ minimum, maximum }: Schema): fc.Arbitrary<number> {
  const min = Math.max(minimum ?? -10, -(2 ** 53));
  const max = Math.min(maximum ?? min + 1000, 2 ** 53);
  const near = fc.integer({ min: Math.ceil(min), max: Math.floor(Math.min(max, min + 1000)) });
  return fc.oneof({ weight: 6, arbitrary: near }, fc.constantFrom(min, max, min - 1, max + 1));
}
