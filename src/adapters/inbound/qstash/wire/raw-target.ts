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

/** How many parts come before the destination, by the first of them. */
const BEFORE_DESTINATION: Readonly<Record<string, number>> = { publish: 1, enqueue: 2 };

/** @param method decides whether a schedule is created, whose target ends with a destination. @throws DomainError `invalid-request` */
export function rawTarget(url: string, method: string): RawTarget {
  const path = url.slice(QSTASH_PATH.length);
  const [, first = ''] = /^([^/?]*)/.exec(path) ?? [];
  const count = first === 'schedules' ? schedulesBefore(path, method) : BEFORE_DESTINATION[first];
  if (count !== undefined) {
    const pieces = path.split('/', count);
    const length = pieces.join('/').length;
    if (path.length > length + 1 && !pieces.some((piece) => piece.includes('?'))) {
      const destination = path.slice(length + 1);
      return { parts: pieces.map(unescaped), destination, query: NO_QUERY };
    }
  }
  const [names = '', query = ''] = path.split(/\?(.*)/s, 2);
  const parts = names.split('/').map(unescaped);
  return { parts, destination: undefined, query: new URLSearchParams(query) };
}

/** A POST to a schedule by its id and an action is none that creates one. */
function schedulesBefore(path: string, method: string): number | undefined {
  const isAction = /^schedules\/[^/?]+\/(pause|resume)$/.test(path);
  return method === 'POST' && !isAction ? 1 : undefined;
}

function unescaped(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw invalidRequest('The path of the request is not validly percent-encoded');
  }
}
