import type { IncomingMessage } from 'node:http';
import { DomainError } from '../../../../domain/errors.ts';

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
