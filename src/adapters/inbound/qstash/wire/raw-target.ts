import { invalidRequest } from '../../../../domain/errors.ts';

/** The paths of the interface begin with this. */
export const QSTASH_PATH = '/v2/';

/** A request target, of which nothing is unescaped that belongs to a destination. */
export interface RawTarget {
  /** The parts of the path that its pattern names, unescaped. */
  readonly names: Readonly<Record<string, string>>;
  /** The destination, which `*` stands for, as the client sent it, with its query; empty for a pattern without one. */
  readonly destination: string;
  readonly query: URLSearchParams;
}

/**
 * Reads targets of one pattern, such as `GET queues/:queue`; `*` stands for a destination.
 *
 * @returns a function of method and target, without what all begin with. It returns undefined for a target of another
 * pattern, and throws DomainError `invalid-request`.
 */
export function targetReader(pattern: string): (asked: string) => RawTarget | undefined {
  const path = pattern.replace(/:(\w+)/g, '(?<$1>[^/?]+)').replace('*', '(?<destination>.+)');
  const end = pattern.endsWith('*') ? '' : String.raw`(?:\?(?<query>.*))?`;
  const expression = new RegExp(`^${path}${end}$`, 's');
  return (asked) => {
    const { groups } = expression.exec(asked) ?? {};
    if (groups === undefined) return undefined;
    const { destination = '', query = '', ...escaped } = groups;
    const names = Object.entries(escaped).map(([name, part]) => [name, unescaped(part)] as const);
    return { names: Object.fromEntries(names), destination, query: new URLSearchParams(query) };
  };
}

function unescaped(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw invalidRequest('The path of the request is not validly percent-encoded');
  }
}
