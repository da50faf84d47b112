import type { Shape } from './shape.ts';

/** The path of the first field of a value that its shape does not name; undefined for none. */
export function unknownField(
  shape: Shape<unknown>,
  value: unknown,
  path: string,
): string | undefined {
  const { parts } = shape;
  const inside = (part: Shape<unknown> | undefined, member: unknown, place: string) =>
    part === undefined ? place : unknownField(part, member, place);
  if (parts === undefined || typeof value !== 'object' || value === null) return undefined;
  if (parts.kind === 'either') return unknownField(parts.choose(value), value, path);
  for (const [name, member] of Object.entries(value)) {
    const place = Array.isArray(value) ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`;
    const part =
      parts.kind === 'object'
        ? parts.fields[name]?.shape
        : parts.kind === 'map'
          ? parts.value
          : parts.item;
    const unknown = inside(part, member, place);
    if (unknown !== undefined) return unknown;
  }
  return undefined;
}
