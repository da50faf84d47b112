import type { RequestListener } from 'node:http';
import type { ExchangeObserver } from '../exchange/exchange-observer.ts';
import { SQS_PATH } from './fields/queue-url.ts';

/**
 * Answers at the paths of the interface when it is off: 404, whoever asks.
 *
 * @param exchanges observes every request.
 */
export function refuseSqs(exchanges: ExchangeObserver): RequestListener {
  return (request, response) => {
    response.on('close', () => {
      const status = response.headersSent ? response.statusCode : undefined;
      exchanges.ended(SQS_PATH, request.method ?? '', status);
    });
    const body = 'There is nothing at this path';
    const headers = {
      'X-Content-Type-Options': 'nosniff',
      'Content-Type': 'text/plain; charset=utf-8',
      'Content-Length': body.length,
    };
    // What is left of a body is not worth waiting for.
    if (!request.complete) response.shouldKeepAlive = false;
    request.resume();
    response.writeHead(404, headers).end(body);
  };
}
