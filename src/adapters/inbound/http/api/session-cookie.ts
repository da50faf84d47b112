import type { IncomingMessage } from 'node:http';
import { SESSION_LIFE } from '../../../../domain/access/session.ts';
import { TRY_LIFE } from '../../../../domain/access/sign-in.ts';
import { cookieOf } from '../messages/cookies.ts';

/** Browsers accept a cookie with the secure name only over TLS, and from no other host. */
const SESSION = { secureName: '__Host-jobgate', plainName: 'jobgate-session', sameSite: 'Strict' };

/** A browser sends it along when another site, the issuer, sends the person back. */
const TRY = {
  secureName: '__Host-jobgate-sign-in',
  plainName: 'jobgate-sign-in',
  sameSite: 'Lax',
};

type Terms = typeof SESSION;

/** The value of the session cookie, if the request has one. */
export function sessionCookieOf(request: IncomingMessage, isSecure: boolean): string | undefined {
  return cookieOf(request, nameOf(SESSION, isSecure));
}

/** The secret of the try to sign in that the browser began, if it did. */
export function tryCookieOf(request: IncomingMessage, isSecure: boolean): string | undefined {
  return cookieOf(request, nameOf(TRY, isSecure));
}

/** The header that gives a browser its session (platform contract, section 11). @param life in milliseconds. */
export function sessionCookie(value: string, isSecure: boolean, life = SESSION_LIFE): string {
  return cookie(SESSION, value, life, isSecure);
}

/** The header that ties a try to sign in to the browser. */
export function tryCookie(secret: string, isSecure: boolean): string {
  return cookie(TRY, secret, TRY_LIFE, isSecure);
}

/** The header that removes the session from the browser. */
export function endedSessionCookie(isSecure: boolean): string {
  return cookie(SESSION, '', 0, isSecure);
}

/** @param life in milliseconds. */
function cookie(terms: Terms, value: string, life: number, isSecure: boolean): string {
  const start = `${nameOf(terms, isSecure)}=${value}; Path=/; Max-Age=${life / 1000}`;
  return `${start}; HttpOnly; SameSite=${terms.sameSite}${isSecure ? '; Secure' : ''}`;
}

function nameOf({ secureName, plainName }: Terms, isSecure: boolean): string {
  return isSecure ? secureName : plainName;
}
