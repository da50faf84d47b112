import leven from 'leven';

/** The variables that Kubernetes sets for every service of a namespace, named after that service. */
const SERVICE_LINK = /_SERVICE_(?:HOST|PORT\w*)$|_PORT(?:_\d+_(?:TCP|UDP|SCTP)\w*)?$/;

/** Another program may have variables of its own that begin like those of this service. */
const SHORTEST_NAME = 8;

/** Names that other programs use for the address of a Redis or a PostgreSQL. */
const ELSEWHERE = new Map([
  ['REDIS_URI', 'STORE_URI'],
  ['REDIS_URL', 'STORE_URI'],
  ['REDIS_HOST', 'STORE_HOST'],
  ['POSTGRES_URI', 'STORE_URI'],
  ['POSTGRES_URL', 'STORE_URI'],
]);

/**
 * The variable that a name was probably meant to be, if any: one that differs by a typo or in case, that is a prefix of
 * the name or begins with it, that lacks the prefix `JOBGATE_`, or that has the same meaning in other programs. Our own
 * names, and those that Kubernetes sets automatically, are not examined.
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
  const [misspelt] = candidates
    .filter(({ each, difference }) => difference <= allowedDistance(each))
    .map(({ each }) => ({ each, distance: boundedDistance(name, each) }))
    .filter((each) => each.distance <= allowedDistance(each.each))
    .toSorted((one, other) => one.distance - other.distance);
  if (misspelt !== undefined) return misspelt.each;
  const [part] = candidates
    .filter(({ each }) => each.startsWith(name) || name.startsWith(each))
    .toSorted((one, other) => one.difference - other.difference);
  return part?.each;
}

/** The distance, or one more than is allowed: most names differ in most letters, which is seen at once. */
function boundedDistance(name: string, known: string): number {
  return leven(name, known, { maxDistance: allowedDistance(known) + 1 });
}

function allowedDistance({ length }: string): number {
  return length > 10 ? 2 : 1;
}
