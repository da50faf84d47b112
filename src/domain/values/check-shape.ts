import { invalidRequest } from '../errors.ts';
import { isObject } from './json.ts';
import type { Shape } from './shape.ts';
import { excerpt } from './text.ts';

/**
 * Enforces a shape on a value from any source: a request, or a record that another program may have written. Fields
 * that the shape does not name are ignored.
 *
 * @throws DomainError `invalid-request` that names the first field that breaks its shape.
 */
export function checkShape(shape: Shape<unknown>, value: unknown, path: string): void {
  if (!shape.accepts(value)) findMistake(shape, value, path);
}

function findMistake(shape: Shape<unknown>, value: unknown, path: string): void {
  const { parts } = shape;
  if (parts === undefined) throw mistake(shape, path);
  if (parts.kind === 'either') {
    checkShape(parts.choose(value), value, path);
    return;
  }
  if (parts.kind === 'list') {
    if (!Array.isArray(value) || value.length === 0) throw mistake(shape, path);
    for (const [index, each] of value.entries()) checkShape(parts.item, each, `${path}[${index}]`);
    return;
  }
  if (!isObject(value)) throw mistake(shape, path);
  if (parts.kind === 'map') {
    for (const [name, each] of Object.entries(value)) {
      checkShape(parts.name, name, memberPath(path, name));
      checkShape(parts.value, each, memberPath(path, name));
    }
    return;
  }
  for (const [name, field] of Object.entries(parts.fields)) {
    const member = value[name];
    if (member === undefined && !field.isRequired) continue;
    checkShape(field.shape, member, memberPath(path, name));
  }
}

function memberPath(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

function mistake({ must }: Shape<unknown>, path: string): Error {
  return invalidRequest(`${excerpt(path)} must ${must}`, path);
}
