import type { JsonSchema } from '../../../../../domain/values/shape.ts';

/** A small value that the schema accepts: of an object, what is required. */
export function exampleValue(
  schema: JsonSchema,
  schemas: Readonly<Record<string, JsonSchema>>,
): unknown {
  const { $ref, examples, enum: values, type, items, properties, required, minimum } = schema;
  if (typeof $ref === 'string') {
    return exampleValue(schemas[$ref.split('/').at(-1) ?? ''] ?? {}, schemas);
  }
  if (Array.isArray(examples)) return examples[0] as unknown;
  if (Array.isArray(values)) return values[0] as unknown;
  switch (type) {
    case 'array':
      return [exampleValue(items as JsonSchema, schemas)];
    case 'object':
      return Object.fromEntries(
        Object.entries((properties ?? {}) as Record<string, JsonSchema>)
          .filter(([name]) => Array.isArray(required) && required.includes(name))
          .map(([name, property]) => [name, exampleValue(property, schemas)]),
      );
    case 'integer':
      return minimum;
    default:
      return 'text';
  }
}
