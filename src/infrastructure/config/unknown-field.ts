import { isObject } from '../../domain/values/json.ts';
import type { Shape } from '../../domain/values/shape.ts';

/** The path of the first field that a shape does not name, which in a file is probably a typo. */
export function unknownField(
  { parts }: Shape<unknown>,
  value: unknown,
  path: string,
): string | undefined {
  if (parts?.kind !== 'object' || !isObject(value)) return undefined;
  for (const [name, member] of Object.entries(value)) {
    const field = parts.fields[name];
    const place = `${path}.${name}`;
    const unknown = field === undefined ? place : unknownField(field.shape, member, place);
    if (unknown !== undefined) return unknown;
  }
  return undefined;
}
