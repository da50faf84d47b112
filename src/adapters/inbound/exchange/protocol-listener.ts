import type { IncomingMessage, RequestListener } from 'node:http';
import type { LoggerPort } from '../../../application/ports/logger-port.ts';
import type { ExchangeObserver } from './exchange-observer.ts';
import { newExchange, type ExchangeResponse, type ExchangeTerms } from './exchange.ts';
import { RequestAbortedError } from './http-error.ts';
import type { Peers } from './peers.ts';
import { exchangeEnd } from './request-log.ts';
import { sendReply } from './send-reply.ts';
import type { TransferBudget } from './transfer-budget.ts';
import type { WholeReply } from './whole-reply.ts';

/** An error as a protocol has it. */
export interface ProtocolFailure {
  readonly reply: WholeReply;
  /** The log reports the error under this name. */
  readonly code: string;
  /** Whether the request had no valid token, as anyone can send at any rate. */
  readonly isWithoutToken: boolean;
  /** Whether the error is a defect, whose message must not leave the process. */
  readonly isDefect: boolean;
}

/** An interface with a protocol of its own. */
export interface Protocol {
  readonly terms: ExchangeTerms;
  /** Charged by `handle`, and refunded here. */
  readonly budget: TransferBudget;
  handle(
    request: IncomingMessage,
    response: ExchangeResponse,
    address: string,
  ): Promise<WholeReply>;
  failureOf(error: unknown, request: IncomingMessage, response: ExchangeResponse): ProtocolFailure;
}

/** Has a protocol answer all requests that come here. */
export function protocolListener(
  protocol: Protocol,
  peers: Peers,
  logger: LoggerPort,
  exchanges: ExchangeObserver,
): RequestListener {
  const close = exchangeEnd(logger, exchanges);
  const answer = async (request: IncomingMessage, response: ExchangeResponse): Promise<void> => {
    const { locals } = response;
    const address = peers.addressOf(request) ?? '';
    let reply: WholeReply;
    try {
      reply = await protocol.handle(request, response, address);
    } catch (error) {
      if (error instanceof RequestAbortedError) return;
      const failure = protocol.failureOf(error, request, response);
      const { code, isWithoutToken } = failure;
      if (failure.isDefect) {
        const { id: requestId, route, operation = 'none' } = locals;
        logger.error('Request failed', { requestId, route, operation, error });
      }
      locals.refusal = { ...{ code, field: undefined }, ...(isWithoutToken && { address }) };
      ({ reply } = failure);
    } finally {
      protocol.budget.refundAfter(response);
    }
    sendReply(request, response, reply);
  };
  return (request, plain) => {
    const locals = newExchange(request, true, protocol.terms);
    const response: ExchangeResponse = Object.assign(plain, { locals });
    response.on('close', close);
    void answer(request, response);
  };
}
