import { decodedPart, parsedUrl } from '../../../../domain/values/parsed-url.ts';

/** A character that no request target may hold unencoded (RFC 9112, section 3.2). */
const FORBIDDEN = /[^\x21\x22\x24-\x7e]/;

/**
 * The path and query of a request target: the target itself as a rule, or what follows the host when a client names the
 * whole URL. Undefined when the target is invalid or its percent-encoding is broken.
 */
export function originForm(target: string): string | undefined {
  const path = target.startsWith('/') ? target : withoutOrigin(target);
  return path === undefined || FORBIDDEN.test(path) || !isDecodable(path) ? undefined : path;
}

/**
 * A stand-in for a target that `originForm` refuses: it leads to the route that the client seems to mean, so that the
 * refusal is authenticated and formatted as on that route.
 */
export function likelyTarget(target: string): string {
  const path = target.split(/[?#]/, 1)[0] ?? '';
  return path.startsWith('/') ? encodeURI(path.toWellFormed()) : '/';
}

/** Returns the query of a request target without its question mark; an empty text for a target without a query. */
export function queryOf(target: string): string {
  const start = target.indexOf('?');
  return start === -1 ? '' : target.slice(start + 1);
}

function withoutOrigin(target: string): string | undefined {
  const url = /^https?:\/\//i.test(target) ? parsedUrl(target) : undefined;
  return url && url.pathname + url.search;
}

function isDecodable(target: string): boolean {
  if (!target.includes('%')) return true;
  return decodedPart(target.split('?', 1)[0] ?? '') !== undefined;
}
