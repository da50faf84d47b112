import type { RequestListener } from 'node:http';
import type { ExchangeObserver } from './exchange-observer.ts';

/**
 * Refuses every request at the paths of an interface that is off, with 404 and before it looks at a token.
 *
 * @param route that all its requests are counted under.
 * @param exchanges observes every request.
 */
export function refusePath(route: string, exchanges: ExchangeObserver): RequestListener {
  return (request, response) => {
    response.on('close', () => {
      const status = response.headersSent ? response.statusCode : undefined;
      exchanges.ended(route, request.method ?? '', status);
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
