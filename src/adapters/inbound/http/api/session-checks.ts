import type { IncomingMessage } from 'node:http';
import { DomainError } from '../../../../domain/errors.ts';
import { asksForWebSocket } from '../messages/web-socket-request.ts';
import type { Peers } from '../../exchange/peers.ts';

const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** A session may always sign out, even where it may change nothing else. */
const SIGN_OUT = /^(?:DELETE \/sessions|POST \/sign-out)\/?(?:\?|$)/;

/** The header that pages of the dashboard send, and that no form of another site can send. */
const OWN_HEADER = 'jobgate-dashboard';

/**
 * A browser sends its cookie no matter which page makes the request, so a request that changes something has to prove
 * that it comes from a page of this service (platform contract, section 11).
 *
 * @throws DomainError `forbidden`.
 */
export function checkOrigin(request: IncomingMessage, peers: Peers): void {
  const isWebSocket = asksForWebSocket(request);
  if (SAFE_METHODS.has(request.method ?? '') && !isWebSocket) return;
  if (!peers.isSameOrigin(request)) {
    throw forbidden('A session may be used by pages of this service only');
  }
  if (!isWebSocket && request.headers[OWN_HEADER] !== '1') {
    throw forbidden('A request with a session needs the header Jobgate-Dashboard: 1');
  }
}

/**
 * Where the dashboard is read-only, sessions are too (platform contract, section 12).
 *
 * @throws DomainError `forbidden`.
 */
export function checkReadOnly({ method = '', url = '' }: IncomingMessage): void {
  if (SAFE_METHODS.has(method) || SIGN_OUT.test(`${method} ${url}`)) return;
  throw forbidden('The dashboard is read-only here');
}

function forbidden(message: string): DomainError {
  return new DomainError('forbidden', message);
}
