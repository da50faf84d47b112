import type { RequestListener } from 'node:http';

const LOOPBACK_HOST = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i;

/**
 * Answers requests that were sent to this machine by a name of its own: a page in a browser reaches a server of the
 * machine under any name that its owner lets point there.
 */
export function loopbackOnly(listener: RequestListener): RequestListener {
  return (request, response) => {
    if (LOOPBACK_HOST.test(request.headers.host ?? '')) {
      listener(request, response);
      return;
    }
    const body = JSON.stringify({ error: 'The header Host must be localhost or 127.0.0.1' });
    response.shouldKeepAlive = false;
    request.resume();
    response.writeHead(421, { 'Content-Type': 'application/json' }).end(body);
  };
}
