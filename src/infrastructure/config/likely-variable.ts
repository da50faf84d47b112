/** What Kubernetes sets for every service of a namespace, under the name of that service. */
const SERVICE_LINK = /_SERVICE_(?:HOST|PORT\w*)$|_PORT(?:_\d+_(?:TCP|UDP|SCTP)\w*)?$/;

/** A program of that name may have variables of its own, which begin with a word like ours. */
const SHORTEST_NAME = 8;

/** Names for the place of a Redis that other programs have. */
const ELSEWHERE = new Map([
  ['REDIS_URI', 'STORE_URI'],
  ['REDIS_URL', 'STORE_URI'],
  ['REDIS_HOST', 'STORE_HOST'],
]);

/**
 * The variable of ours that a name was probably meant to be, if any: one that differs by a slip of the
 * pen or in case, that is cut or goes on, that is prefixed by the name of the service, or that means the
 * same elsewhere. Names of our own, and those that an environment sets by itself, are none.
 *
 * @param known the names of all variables.
 */
export function likelyVariable(name: string, known: readonly string[]): string | undefined {
  if (known.includes(name) || SERVICE_LINK.test(name)) return undefined;
  const upper = name.toUpperCase().replaceAll('-', '_');
  const bare = upper.replace(/^JOBGATE_/, '');
  if (bare !== upper && known.includes(bare)) return bare;
  return ELSEWHERE.get(upper) ?? nearest(bare, known);
}

function nearest(name: string, known: readonly string[]): string | undefined {
  if (name.length < SHORTEST_NAME) return undefined;
  const candidates = known
    .filter((each) => each.length >= SHORTEST_NAME)
    .map((each) => ({ each, difference: Math.abs(each.length - name.length) }));
  const [slipped] = candidates
    .filter(({ each, difference }) => difference <= allowedSlips(each))
    .map(({ each }) => ({ each, slips: slips(name, each) }))
    .filter((each) => each.slips <= allowedSlips(each.each))
    .toSorted((one, other) => one.slips - other.slips);
  if (slipped !== undefined) return slipped.each;
  const [part] = candidates
    .filter(({ each }) => each.startsWith(name) || name.startsWith(each))
    .toSorted((one, other) => one.difference - other.difference);
  return part?.each;
}

function allowedSlips({ length }: string): number {
  return length > 10 ? 2 : 1;
}

/** How many characters are missing, too many, wrong or swapped with their neighbour. */
function slips(one: string, other: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const same = one[row - 1] === other[column - 1];
      const swapped = one[row - 2] === other[column - 1] && one[row - 1] === other[column - 2];
      current[column] = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1),
        row > 1 && column > 1 && swapped ? (beforeLast[column - 2] ?? 0) + 1 : Infinity,
      );
    }
    [beforeLast, last] = [last, current];
  }
  return last.at(-1) ?? 0;
}
