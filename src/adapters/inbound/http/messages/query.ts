import type { Option } from '../../../../application/operations/input.ts';
import { invalidRequest } from '../../../../domain/errors.ts';
import { excerpt } from '../../../../domain/values/text.ts';
import { likelyName } from '../../../shared/likely-name.ts';
import { MAX_MISTAKES } from './mistakes.ts';
import { queryOf } from './request-target.ts';

const UNKNOWN = 'is not a known query parameter';

/** The parameters that a route takes. */
export type QuerySchema = Readonly<Record<string, Option<unknown>>>;

/**
 * Reads the query of a request target. An unknown or repeated parameter is an error, which names the parameter that was
 * probably meant.
 *
 * @throws DomainError `invalid-request` that reports the first mistakes, one per line.
 */
export function parseQuery(
  parameters: QuerySchema,
  target: string,
): Readonly<Record<string, unknown>> {
  const query: Record<string, unknown> = {};
  let mistakes: Map<string, string> | undefined;
  const refuse = (name: string, problem: string): void => {
    mistakes ??= new Map();
    mistakes.set(name, problem);
  };
  const given = queryOf(target);
  if (given !== '') {
    for (const [name, text] of new URLSearchParams(given)) {
      const parameter = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
      if (parameter === undefined) refuse(name, UNKNOWN);
      else if (Object.hasOwn(query, name)) refuse(name, 'must be given once');
      else query[name] = parameter.parse(text, (problem) => refuse(name, problem));
    }
  }
  for (const name of Object.keys(parameters)) {
    if (Object.hasOwn(query, name)) continue;
    query[name] = parameters[name]?.parse(undefined, (problem) => refuse(name, problem));
  }
  if (mistakes !== undefined) throw mistaken(mistakes, Object.keys(parameters));
  return query;
}

function mistaken(mistakes: ReadonlyMap<string, string>, known: readonly string[]): Error {
  const first = [...mistakes].slice(0, MAX_MISTAKES);
  const lines = first.map(([name, problem]) => {
    const meant = problem === UNKNOWN ? likelyName(name, known) : undefined;
    const guess = meant === undefined ? '' : `: did you mean ${meant}?`;
    return `${excerpt(name) || 'An empty name'} ${problem}${guess}`;
  });
  return invalidRequest(lines.join('\n'), first[0]?.[0]);
}
