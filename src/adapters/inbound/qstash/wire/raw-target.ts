import { invalidRequest } from '../../../../domain/errors.ts';

/** The paths of the interface begin with this. */
export const QSTASH_PATH = '/v2/';

/** A request target, of which nothing is unescaped that belongs to a destination. */
export interface RawTarget {
  /** The parts of the path, unescaped, without the version. */
  readonly parts: readonly string[];
  /** What follows the path of an operation that takes a destination, with its query, as the client sent it. */
  readonly destination: string | undefined;
  readonly query: URLSearchParams;
}

const NO_QUERY = new URLSearchParams();

/** Paths that may end with a destination. */
const BEFORE_DESTINATION = /^(publish|enqueue\/[^/?]*|schedules)\/(.+)$/s;

/** @param method decides whether a schedule is created, whose target ends with a destination. @throws DomainError `invalid-request` */
export function rawTarget(url: string, method: string): RawTarget {
  const path = url.slice(QSTASH_PATH.length);
  const [, before, destination = ''] = BEFORE_DESTINATION.exec(path) ?? [];
  if (before !== undefined && (before !== 'schedules' || creates(method, destination))) {
    return { parts: before.split('/').map(unescaped), destination, query: NO_QUERY };
  }
  const [names = '', query = ''] = path.split(/\?(.*)/s, 2);
  const parts = names.split('/').map(unescaped);
  return { parts, destination: undefined, query: new URLSearchParams(query) };
}

/** A POST to a schedule by its id and an action is none that creates one. */
function creates(method: string, destination: string): boolean {
  return method === 'POST' && !/^[^/?]+\/(pause|resume)$/.test(destination);
}

function unescaped(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw invalidRequest('The path of the request is not validly percent-encoded');
  }
}
