import type { IncomingMessage } from 'node:http';
import { SESSION_LIFE } from '../../../../domain/access/session.ts';
import { TRY_LIFE } from '../../../../domain/access/sign-in.ts';
import { cookieOf } from '../messages/cookies.ts';

/**
 * A cookie that no script can read. Browsers accept one with the secure name only over TLS, and from no other host.
 *
 * @param life in milliseconds, unless the header gives another.
 */
function cookie(
  plainName: string,
  sameSite: 'Strict' | 'Lax',
  life: number,
  secureName = `__Host-${plainName}`,
) {
  const nameFor = (isSecure: boolean): string => (isSecure ? secureName : plainName);
  const header = (value: string, isSecure: boolean, lasting = life): string => {
    const start = `${nameFor(isSecure)}=${value}; Path=/; Max-Age=${lasting / 1000}`;
    return `${start}; HttpOnly; SameSite=${sameSite}${isSecure ? '; Secure' : ''}`;
  };
  return {
    /** The value, if the request has one. */
    in: (request: IncomingMessage, isSecure: boolean) => cookieOf(request, nameFor(isSecure)),
    /** The header that gives it to a browser. */
    header,
    /** The header that removes it from a browser. */
    ended: (isSecure: boolean): string => header('', isSecure, 0),
  };
}

/** The session of a browser (platform contract, section 11). */
export const SESSION = cookie('jobgate-session', 'Strict', SESSION_LIFE, '__Host-jobgate');

/** Ties a try to sign in to the browser, which sends it along when another site, the issuer, sends the person back. */
export const TRY = cookie('jobgate-sign-in', 'Lax', TRY_LIFE);
