import { isObject } from '../../../src/domain/values/json.ts';
import { sameJson } from '../../../src/domain/values/same-json.ts';
import type { Fields } from './fields.ts';

/** A field whose values differ; undefined where it is absent. */
export interface Difference {
  readonly field: string;
  readonly from: unknown;
  readonly to: unknown;
}

/** The fields that differ, in the order of `to`. Objects are compared field by field, and arrays as a whole. */
export function differences(from: Fields, to: Fields): readonly Difference[] {
  const [before, after] = [leavesOf(from), leavesOf(to)];
  const names = new Set([...after.keys(), ...before.keys()]);
  return [...names]
    .map((field) => ({ field, from: before.get(field), to: after.get(field) }))
    .filter((each) => !sameJson(each.from, each.to));
}

function leavesOf(value: Fields, path = ''): Map<string, unknown> {
  return new Map(
    Object.entries(value)
      .filter(([, each]) => each !== undefined)
      .flatMap(([name, each]) => {
        const field = `${path}${/^[\w-]+$/.test(name) ? name : JSON.stringify(name)}`;
        const isBranch = isObject(each) && Object.keys(each).length > 0;
        return isBranch ? [...leavesOf(each, `${field}.`)] : [[field, each] as const];
      }),
  );
}
