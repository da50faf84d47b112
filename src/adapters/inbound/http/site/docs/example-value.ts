import type { JsonSchema } from '../../../../../domain/values/shape.ts';

/** Lists nested deeper than this are left empty, since trees contain trees. */
const DEEPEST = 6;

/** A small value that the schema accepts. Objects have only their required fields. */
export function exampleValue(
  schema: JsonSchema,
  schemas: Readonly<Record<string, JsonSchema>>,
  depth = 0,
): unknown {
  const {
    $ref,
    examples,
    enum: values,
    anyOf,
    type,
    items,
    properties,
    required,
    minimum,
  } = schema;
  if ('const' in schema) return schema['const'];
  if (typeof $ref === 'string') {
    return exampleValue(schemas[$ref.split('/').at(-1) ?? ''] ?? {}, schemas, depth + 1);
  }
  if (Array.isArray(examples)) return examples[0] as unknown;
  if (Array.isArray(values)) return values[0] as unknown;
  if (Array.isArray(anyOf)) return exampleValue((anyOf as JsonSchema[])[0] ?? {}, schemas, depth);
  switch (type) {
    case 'array':
      return depth > DEEPEST ? [] : [exampleValue(items as JsonSchema, schemas, depth + 1)];
    case 'object':
      return Object.fromEntries(
        Object.entries((properties ?? {}) as Record<string, JsonSchema>)
          .filter(([name]) => Array.isArray(required) && required.includes(name))
          .map(([name, property]) => [name, exampleValue(property, schemas, depth + 1)]),
      );
    case 'integer':
    case 'number':
      return minimum ?? 1;
    case 'boolean':
      return false;
    case 'null':
      return null;
    case 'string':
      return 'text';
    default:
      return {};
  }
}
