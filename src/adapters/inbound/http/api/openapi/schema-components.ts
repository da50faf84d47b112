import type { JsonSchema } from '../../../../../domain/values/shape.ts';

/**
 * The named schemas of a document. Every schema with a `title` becomes one of them, and a reference stands
 * in its place. Schemas of requests and of answers have separate names: later versions may add to answers.
 */
export class SchemaComponents {
  readonly #schemas = new Map<string, JsonSchema>();

  /** A schema of a request, exactly as it is checked. */
  ofRequest(schema: JsonSchema): JsonSchema {
    return this.#lifted(schema, false);
  }

  /** A schema of an answer: open for unknown fields, and for values that are not listed yet. */
  ofReply(schema: JsonSchema): JsonSchema {
    return this.#lifted(schema, true);
  }

  /** All schemas by name, in the order of the names. */
  all(): Readonly<Record<string, JsonSchema>> {
    return Object.fromEntries([...this.#schemas].sort(([one], [other]) => (one < other ? -1 : 1)));
  }

  #lifted(schema: JsonSchema, isReply: boolean): JsonSchema {
    const { title, description, ...rest } = schema;
    if (typeof title !== 'string') return this.#inner(schema, isReply);
    const name = isReply ? title : `${title}Input`;
    if (!this.#schemas.has(name)) {
      this.#schemas.set(name, rest);
      this.#schemas.set(name, this.#inner(rest, isReply));
    }
    const reference = { $ref: `#/components/schemas/${name}` };
    return description === undefined ? reference : { ...reference, description };
  }

  #inner(schema: JsonSchema, isReply: boolean): JsonSchema {
    const inner = Object.fromEntries(
      Object.entries(schema).map(([keyword, value]) => [keyword, this.#keyword(value, isReply)]),
    );
    return isReply ? opened(inner) : inner;
  }

  #keyword(value: unknown, isReply: boolean): unknown {
    if (Array.isArray(value)) return value.map((each) => this.#keyword(each, isReply));
    if (typeof value !== 'object' || value === null) return value;
    return this.#lifted(value as JsonSchema, isReply);
  }
}

function opened(schema: JsonSchema): JsonSchema {
  const { additionalProperties, enum: values, type, ...rest } = schema;
  return {
    ...(values === undefined
      ? type !== undefined && { type }
      : { anyOf: [{ enum: values }, { type }] }),
    ...rest,
    ...(typeof additionalProperties === 'object' && { additionalProperties }),
  };
}
