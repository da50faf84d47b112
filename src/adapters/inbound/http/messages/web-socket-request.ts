import type { IncomingMessage } from 'node:http';
import { DomainError } from '../../../../domain/errors.ts';
import { HttpError } from '../../exchange/http-error.ts';

const UPGRADE = /(?:^|,)[ \t]*upgrade[ \t]*(?:,|$)/i;

/** Whether a request asks for a WebSocket in place of an answer. Requests for other protocols are ignored. */
export function asksForWebSocket({ method, httpVersion, headers }: IncomingMessage): boolean {
  return (
    method === 'GET' &&
    httpVersion === '1.1' &&
    headers.upgrade?.toLowerCase() === 'websocket' &&
    UPGRADE.test(headers.connection ?? '')
  );
}

/** The versions of the protocol that the service speaks (RFC 6455 and its draft 8 to 12). */
const VERSIONS = ['13', '8'];

/** @throws HttpError `upgrade-required` for a version that is not supported. */
export function refuseOtherVersion({ headers }: IncomingMessage): void {
  const version = headers['sec-websocket-version'];
  if (version === undefined || VERSIONS.includes(version)) return;
  const supported = VERSIONS.join(', ');
  throw new HttpError('upgrade-required', `A WebSocket is of version ${VERSIONS.join(' or ')}`, {
    'Sec-WebSocket-Version': supported,
    Upgrade: 'websocket',
    Connection: 'Upgrade',
  });
}

/**
 * Browsers let pages of any site open WebSockets, with any credentials that a proxy adds to the request. Only a ticket
 * proves that the page may.
 *
 * @throws DomainError `forbidden` for a request that a page made.
 */
export function refusePage({ headers }: IncomingMessage): void {
  if (headers.origin === undefined) return;
  throw new DomainError('forbidden', 'A page opens a WebSocket with a ticket');
}
