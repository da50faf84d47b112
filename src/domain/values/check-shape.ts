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
  check(shape, value, path, false);
}

/** The same of a value that may have no other fields. */
export function checkExactShape(shape: Shape<unknown>, value: unknown, path: string): void {
  check(shape, value, path, true);
}

function check(shape: Shape<unknown>, value: unknown, path: string, isExact: boolean): void {
  if (!shape.accepts(value)) findMistake(shape, value, path, isExact);
}

function findMistake(shape: Shape<unknown>, value: unknown, path: string, isExact: boolean): void {
  const { parts } = shape;
  if (parts === undefined) throw mistake(shape, path);
  if (parts.kind === 'either') {
    check(parts.choose(value), value, path, isExact);
    return;
  }
  if (parts.kind === 'list') {
    if (!Array.isArray(value) || value.length === 0) throw mistake(shape, path);
    for (const [index, each] of value.entries()) {
      check(parts.item, each, `${path}[${index}]`, isExact);
    }
    return;
  }
  if (!isObject(value)) throw mistake(shape, path);
  if (parts.kind === 'map') {
    for (const [name, each] of Object.entries(value)) {
      check(parts.name, name, memberPath(path, name), isExact);
      check(parts.value, each, memberPath(path, name), isExact);
    }
    return;
  }
  for (const [name, field] of Object.entries(parts.fields)) {
    const member = value[name];
    if (member === undefined && !field.isRequired) continue;
    check(field.shape, member, memberPath(path, name), isExact);
  }
  const unknown = Object.keys(value).find((name) => !Object.hasOwn(parts.fields, name));
  if (unknown === undefined || !isExact) return;
  throw invalidRequest(
    `${excerpt(memberPath(path, unknown))} is unknown`,
    memberPath(path, unknown),
  );
}

function memberPath(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

function mistake({ must }: Shape<unknown>, path: string): Error {
  return invalidRequest(`${excerpt(path)} must ${must}`, path);
}
