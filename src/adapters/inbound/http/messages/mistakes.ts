import { invalidRequest, type DomainError } from '../../../../domain/errors.ts';
import { isObject } from '../../../../domain/values/json.ts';
import { excerpt } from '../../../../domain/values/text.ts';

/** The path from a whole body to a part of it: the names of members and the indices of elements. */
export type Path = readonly (string | number)[];

/** A mistake in one part of a body. Its text continues after the name of the part. */
export interface Mistake {
  readonly path: Path;
  readonly problem: string;
}

/** The most mistakes reported for one request. */
export const MAX_MISTAKES = 10;

/**
 * The error that reports the mistakes, one per line, in the order of their parts in the body. Of several mistakes in
 * the same part, it reports the last.
 *
 * @param body the body, as far as it could be read.
 */
export function mistaken(mistakes: readonly Mistake[], body: unknown): DomainError {
  const parts = new Map(mistakes.map((mistake) => [pathText(mistake.path), mistake]));
  const lines = [...parts]
    .map(([name, { path, problem }]) => ({ name, problem, position: position(path, body) }))
    .sort((one, other) => compare(one.position, other.position))
    .slice(0, MAX_MISTAKES);
  const text = lines.map(
    ({ name, problem }) => `${excerpt(name) || 'The request body'} ${problem}`,
  );
  return invalidRequest(text.join('\n'), lines[0]?.name);
}

/** As a programmer would write it: `[3].opts.priority`. */
function pathText(path: Path): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    const name = part === '' ? '""' : part;
    return text === '' ? name : `${text}.${name}`;
  }, '');
}

/** The position among the siblings at each level; missing parts come after all existing ones. */
function position(path: Path, body: unknown): readonly number[] {
  let parent = body;
  return path.map((part) => {
    if (typeof part === 'number') {
      parent = Array.isArray(parent) ? parent[part] : undefined;
      return part;
    }
    if (!isObject(parent)) return Infinity;
    const index = Object.keys(parent).indexOf(part);
    parent = parent[part];
    return index === -1 ? Infinity : index;
  });
}

function compare(one: readonly number[], other: readonly number[]): number {
  const index = one.findIndex((place, level) => place !== other[level]);
  if (index === -1) return one.length - other.length;
  const place = other[index];
  if (place === undefined) return 1;
  return (one[index] ?? 0) < place ? -1 : 1;
}
