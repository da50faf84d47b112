import type { ServerResponse } from 'node:http';
import type { LogFields, LoggerPort } from '../../../application/ports/logger-port.ts';
import { excerpt } from '../../../domain/values/text.ts';
import type { ExchangeObserver } from './exchange-observer.ts';
import { isAnswered, type Exchange, type ExchangeResponse } from './exchange.ts';
import { UnauthorizedLog } from './unauthorized-log.ts';

/** A listener for the `close` of responses: it logs and reports each exchange that is over. */
export function exchangeEnd(
  logger: LoggerPort,
  observer: ExchangeObserver,
): (this: ServerResponse) => void {
  const log = new RequestLog(logger);
  return function () {
    const response = this as ExchangeResponse;
    log.write(response);
    const status = isAnswered(response) ? response.statusCode : undefined;
    observer.ended(response.locals.route, response.req.method ?? '', status);
  };
}

/**
 * Logs a line for each refused request; those without a valid token are counted. Success is the normal case, and is
 * logged only at debug level. The path is logged as its pattern, because names in it may be personal.
 */
class RequestLog {
  readonly #logger: LoggerPort;
  readonly #unauthorized: UnauthorizedLog;

  constructor(logger: LoggerPort) {
    this.#logger = logger;
    this.#unauthorized = new UnauthorizedLog(logger);
  }

  /** Must be called when the exchange is over: when it was answered, or its client has left. */
  write(response: ExchangeResponse): void {
    const { statusCode: status, locals: exchange } = response;
    const answered = isAnswered(response);
    const refused = answered && status >= 400;
    const { refusal } = exchange;
    const from = answered ? refusal?.address : undefined;
    const isWithoutToken = from !== undefined;
    if (typeof from === 'string') this.#unauthorized.add(exchange.route, from);
    const level = refused && !isWithoutToken ? 'info' : 'debug';
    if (level === 'debug' && !this.#logger.writesDebug) return;
    const duration = Math.round((performance.now() - exchange.startedAt) * 1000) / 1000;
    const { id: requestId, route, operation } = exchange;
    const fields = {
      ...{ requestId, method: response.req.method, route, duration },
      ...(operation !== undefined && { operation }),
    };
    if (!answered) this.#logger.debug('Request abandoned by its client', fields);
    else
      this.#logger[level]('Request answered', { ...fields, status, ...(refused && why(exchange)) });
  }
}

/** The mistake of a client. Of the request it contains only the place. */
function why({ queue, refusal, audited }: Exchange): LogFields {
  const field = refusal?.field;
  return {
    ...(refusal && { code: refusal.code }),
    ...(field && { field: excerpt(withoutData(field)) }),
    ...(queue !== undefined && { queue: excerpt(queue) }),
    ...audited,
  };
}

/** Names within the data of a job are data too, and are not logged. */
function withoutData(field: string): string {
  return field.replace(/^(\[\d+\]\.data)\b.*$/s, '$1');
}
