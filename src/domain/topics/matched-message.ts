import { isObject, type Json } from '../values/json.ts';
import { keptOrMade } from '../values/kept-or-made.ts';

/** What the data of a message have at a path. */
export interface FoundValues {
  /** Each different value; of arrays those of their elements. */
  readonly values: ReadonlySet<unknown>;
  /** Whether anything is there, even an empty array. What is below null or a scalar is not there. */
  readonly isThere: boolean;
}

/** A message as filters look at it: many share what they find at a path, and each value counts once. */
export class MatchedMessage {
  readonly name: string;
  readonly #data: Json;
  readonly #found = new Map<string, FoundValues>();

  constructor(name: string, data: Json) {
    this.name = name;
    this.#data = data;
  }

  /** @param path keys with dots between them; arrays on the way are walked. */
  at(path: string): FoundValues {
    return keptOrMade(this.#found, path, () => {
      const found = { values: new Set<unknown>(), isThere: false };
      walk(this.#data, path.split('.'), 0, found);
      return found;
    });
  }
}

function walk(
  value: unknown,
  path: readonly string[],
  depth: number,
  found: { readonly values: Set<unknown>; isThere: boolean },
): void {
  const isEnd = depth === path.length;
  found.isThere ||= isEnd;
  if (Array.isArray(value)) {
    for (const each of value) walk(each, path, depth, found);
  } else if (isEnd) {
    found.values.add(value);
  } else if (isObject(value)) {
    const key = path[depth] ?? '';
    if (Object.hasOwn(value, key)) walk(value[key], path, depth + 1, found);
  }
}
