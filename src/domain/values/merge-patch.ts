import { isObject } from './json.ts';
import { bounded, mapOf, object, optional, orNull, type Field, type Shape } from './shape.ts';

/** A JSON merge patch (RFC 7396) of a value: of an object any fields, of which null removes one. */
export type MergePatch<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { readonly [Name in keyof T]?: MergePatch<T[Name]> | null }
    : T;

/**
 * The shape of a merge patch of objects and maps; any other value is replaced as a whole. A patch of the right shape may
 * still lead to a value that lacks a field, so the result needs a check of its own.
 */
export function mergePatchOf<T>(shape: Shape<T>): Shape<MergePatch<T>> {
  const { must, parts, schema } = shape;
  const inner = parts?.kind === 'either' ? parts.shapes.at(-1)?.parts : parts;
  if (inner?.kind === 'object') {
    const fields = Object.entries(inner.fields).map(([name, field]) => [name, patched(field)]);
    const title = `${String(schema['title'])}Change`;
    return object(title, Object.fromEntries(fields), must) as unknown as Shape<MergePatch<T>>;
  }
  if (inner?.kind === 'map') {
    const map = mapOf(inner.name, orNull(inner.value), must);
    const most = schema['maxProperties'];
    const patch = typeof most === 'number' ? bounded(most, map) : map;
    return patch as unknown as Shape<MergePatch<T>>;
  }
  return shape as unknown as Shape<MergePatch<T>>;
}

function patched({ shape, storedDescription }: Field): Field {
  const patch = mergePatchOf(shape);
  return optional(patch.accepts(null) ? patch : orNull(patch), storedDescription);
}

/** The value after a merge patch. @param value undefined for one that is absent. */
export function mergePatched(value: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const after = new Map(Object.entries(isObject(value) ? value : {}));
  for (const [name, change] of Object.entries(patch)) {
    if (change === null) after.delete(name);
    else after.set(name, mergePatched(after.get(name), change));
  }
  return Object.fromEntries(after);
}
