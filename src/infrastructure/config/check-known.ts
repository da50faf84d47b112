import { DomainError } from '../../domain/errors.ts';
import { checkShape } from '../../domain/values/check-shape.ts';
import { isObject } from '../../domain/values/json.ts';
import type { Shape } from '../../domain/values/shape.ts';

/** @throws DomainError with the message, unless the rule holds. */
export function checkRule(holds: boolean, message: string): asserts holds {
  if (!holds) throw new DomainError('invalid-request', message);
}

/** @throws DomainError naming the first field that violates the shape, or that it does not name: probably a typo. */
export function checkKnown(shape: Shape<unknown>, value: unknown, path: string): void {
  checkShape(shape, value, path);
  const unknown = unknownField(shape, value, path);
  if (unknown !== undefined) throw new DomainError('invalid-request', `${unknown} is unknown`);
}

function unknownField({ parts }: Shape<unknown>, value: unknown, path: string): string | undefined {
  if (parts?.kind !== 'object' || !isObject(value)) return undefined;
  for (const [name, member] of Object.entries(value)) {
    const field = parts.fields[name];
    const place = `${path}.${name}`;
    const unknown = field === undefined ? place : unknownField(field.shape, member, place);
    if (unknown !== undefined) return unknown;
  }
  return undefined;
}
