import type { IncomingMessage } from 'node:http';
import { SESSION_LIFE } from '../../../../domain/access/session.ts';
import { cookieOf } from '../messages/cookies.ts';

/** Browsers accept a cookie of that name only over TLS, and from no other host. */
const SECURE_NAME = '__Host-jobgate';
const PLAIN_NAME = 'jobgate-session';

/** The value of the session cookie, if the request has one. */
export function sessionCookieOf(request: IncomingMessage, isSecure: boolean): string | undefined {
  return cookieOf(request, isSecure ? SECURE_NAME : PLAIN_NAME);
}

/** The header that gives a browser its session (platform contract, section 11). */
export function sessionCookie(value: string, isSecure: boolean): string {
  return cookie(value, SESSION_LIFE / 1000, isSecure);
}

/** The header that removes the session from the browser. */
export function endedSessionCookie(isSecure: boolean): string {
  return cookie('', 0, isSecure);
}

function cookie(value: string, seconds: number, isSecure: boolean): string {
  const name = isSecure ? SECURE_NAME : PLAIN_NAME;
  const secure = isSecure ? '; Secure' : '';
  return `${name}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`;
}
