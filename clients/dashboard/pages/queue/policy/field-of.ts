import { isObject } from '../../../../../src/domain/values/json.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The value at a path of names; undefined where there is none. */
export function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce((at, name) => (isObject(at) ? at[name] : undefined), value);
}

/** A copy with another value at a path; undefined takes it out, with the objects that are empty without it. */
export function withValueAt(
  fields: Fields,
  [name = '', ...rest]: readonly string[],
  value: unknown,
): Fields {
  const inner = fields[name];
  const changed =
    rest.length === 0 ? value : withValueAt(isObject(inner) ? inner : {}, rest, value);
  const isGone = changed === undefined || (rest.length > 0 && isEmpty(changed));
  if (!isGone) return { ...fields, [name]: changed };
  return Object.fromEntries(Object.entries(fields).filter(([other]) => other !== name));
}

function isEmpty(value: unknown): boolean {
  return isObject(value) && Object.keys(value).length === 0;
}
