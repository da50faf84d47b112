import type { ServerResponse } from 'node:http';
import type { ExchangeObserver } from './exchange-observer.ts';
import { isAnswered, type ExchangeResponse } from './exchange.ts';
import type { RequestLog } from './request-log.ts';

/** A listener for the `close` of responses: it logs and reports each exchange that is over. */
export function exchangeEnd(
  log: RequestLog,
  observer: ExchangeObserver,
): (this: ServerResponse) => void {
  return function () {
    const response = this as ExchangeResponse;
    log.write(response);
    const status = isAnswered(response) ? response.statusCode : undefined;
    observer.ended(response.locals.route, response.req.method ?? '', status);
  };
}
