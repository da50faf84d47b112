import type { RequestListener } from 'node:http';

/**
 * Answers at the paths of the interface when it is off: 404, whoever asks.
 *
 * @param ended observes every request.
 */
export function refuseSqs(
  ended: (method: string, status: number | undefined) => void,
): RequestListener {
  return (request, response) => {
    response.on('close', () => {
      ended(request.method ?? '', response.headersSent ? response.statusCode : undefined);
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
