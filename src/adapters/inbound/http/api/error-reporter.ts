import type { IncomingMessage } from 'node:http';
import type { LoggerPort } from '../../../../application/ports/logger-port.ts';
import {
  errorReply,
  isUnauthenticated,
  isUnexpected,
  refusal,
  type ErrorStyle,
} from './error-reply.ts';
import { isAnswered, type Exchange, type ExchangeResponse } from '../../exchange/exchange.ts';
import type { Peers } from '../../exchange/peers.ts';
import { SESSION } from './session-cookie.ts';
import { RequestAbortedError } from '../../exchange/http-error.ts';
import { cutReply, sendReply } from '../../exchange/send-reply.ts';

/** Answers failed requests, and logs the errors that the client must not see. */
export class ErrorReporter {
  readonly #logger: LoggerPort;
  readonly #peers: Peers;

  constructor(logger: LoggerPort, peers: Peers) {
    this.#logger = logger;
    this.#peers = peers;
  }

  report(
    error: unknown,
    request: IncomingMessage,
    response: ExchangeResponse,
    style: ErrorStyle = 'text',
  ): void {
    if (error instanceof RequestAbortedError) return;
    const why = refusal(error);
    response.locals.refusal = isUnauthenticated(why)
      ? { ...why, address: this.#unprovenAddress(request, response) }
      : why;
    if (isUnexpected(error)) {
      const { id, route } = response.locals;
      this.#logger.error('Request failed', { requestId: id, method: request.method, route, error });
    }
    if (isAnswered(response)) this.#cut(request, response);
    else sendReply(request, response, errorReply(error, style, request));
  }

  #unprovenAddress(request: IncomingMessage, { locals }: ExchangeResponse): string | null {
    if (asksAsNobody(locals, request)) return null;
    return this.#peers.addressOf(request) ?? 'unknown';
  }

  #cut({ method }: IncomingMessage, response: ExchangeResponse): void {
    const { id, route, refusal } = response.locals;
    const fields = { requestId: id, method, route, code: refusal?.code };
    this.#logger.warn('The connection was cut within an answer that cannot be completed', fields);
    cutReply(response);
  }
}

/** Whether a client without any credentials asks who it is, as the dashboard does before anybody has signed in. */
function asksAsNobody({ route }: Exchange, request: IncomingMessage): boolean {
  const { authorization } = request.headers;
  const isInSession = [true, false].some((isSecure) => SESSION.in(request, isSecure));
  return route === '/whoami' && authorization === undefined && !isInSession;
}
