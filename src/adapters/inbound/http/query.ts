import { invalidRequest } from '../../../domain/errors.ts';
import { excerpt } from '../../../domain/text.ts';
import { MAX_MISTAKES } from './mistakes.ts';

/**
 * Turns one parameter into its value; `undefined` means that it was not given. What is wrong with it is
 * told in words that go after its name, and the value is of no use then.
 */
export type ParameterParser<Value> = (
  text: string | undefined,
  refuse: (words: string) => void,
) => Value;

/** The parameters a route takes, and how each is read. */
export type QuerySchema<Query> = {
  readonly [Name in keyof Query]: ParameterParser<Query[Name]>;
};

/**
 * Reads the query of a request target. Nothing is guessed: a parameter that is unknown or repeated is
 * an error.
 *
 * @throws DomainError `invalid-request` that tells the first mistakes, one a line.
 */
export function parseQuery<Query extends object>(
  schema: QuerySchema<Query>,
  target: string,
): Query {
  const query: Record<string, unknown> = {};
  const mistakes = new Map<string, string>();
  const read = (name: string, parse: ParameterParser<unknown>, text?: string): void => {
    query[name] = parse(text, (words) => mistakes.set(name, words));
  };
  const parsers = Object.entries<ParameterParser<unknown>>(schema);
  for (const [name, text] of parameters(target)) {
    const parse = parsers.find(([known]) => known === name)?.[1];
    if (parse === undefined) mistakes.set(name, 'is not a known query parameter');
    else if (Object.hasOwn(query, name)) mistakes.set(name, 'must be given once');
    else read(name, parse, text);
  }
  for (const [name, parse] of parsers) if (!Object.hasOwn(query, name)) read(name, parse);
  if (mistakes.size > 0) throw mistaken(mistakes);
  return query as Query;
}

function parameters(target: string): Iterable<readonly [name: string, text: string]> {
  const start = target.indexOf('?');
  return start === -1 ? [] : new URLSearchParams(target.slice(start));
}

function mistaken(mistakes: ReadonlyMap<string, string>): Error {
  const first = [...mistakes].slice(0, MAX_MISTAKES);
  const lines = first.map(([name, words]) => `${excerpt(name) || 'An empty name'} ${words}`);
  return invalidRequest(lines.join('\n'), first[0]?.[0]);
}
