import { invalidRequest } from '../../../domain/errors.ts';
import { excerpt } from '../../../domain/text.ts';

/** Turns one parameter into its value; `undefined` means that it was not given. */
export type ParameterParser<Value> = (text: string | undefined, name: string) => Value;

/** The parameters a route takes, and how each is read. */
export type QuerySchema<Query> = {
  readonly [Name in keyof Query]: ParameterParser<Query[Name]>;
};

/**
 * Reads the query of a request target. Nothing is guessed: a parameter that is unknown or repeated is
 * an error.
 *
 * @throws DomainError `invalid-request` naming the parameter.
 */
export function parseQuery<Query extends object>(
  schema: QuerySchema<Query>,
  target: string,
): Query {
  const given = parameters(target);
  for (const name of given.keys()) {
    if (!Object.hasOwn(schema, name))
      throw invalidRequest(
        `${excerpt(name) || 'An empty name'} is not a known query parameter`,
        name,
      );
  }
  const query: Record<string, unknown> = {};
  for (const [name, parse] of Object.entries<ParameterParser<unknown>>(schema)) {
    query[name] = parse(given.get(name), name);
  }
  return query as Query;
}

const NONE: ReadonlyMap<string, string> = new Map();

function parameters(target: string): ReadonlyMap<string, string> {
  const start = target.indexOf('?');
  if (start === -1) return NONE;
  const values = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(target.slice(start))) {
    if (values.has(name)) throw invalidRequest(`${excerpt(name)} must be given once`, name);
    values.set(name, value);
  }
  return values;
}
