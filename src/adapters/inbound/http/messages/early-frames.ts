import { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ServedResponse } from '../../exchange/exchange.ts';

/**
 * Takes the connection of a WebSocket request from the HTTP parser, which would drop the bytes that came along with the
 * request. They are all there to be read when the WebSocket begins. If the request is answered instead, the answer ends
 * the connection.
 *
 * Node hands a connection over only if the server listens for upgrades, and then for every request that asks for any
 * protocol, before a handler has seen it. So the listener is added within the event of this one request, which must be
 * the only one in flight; Node looks for a listener as soon as the parser returns.
 */
export function keepEarlyFrames(request: IncomingMessage, response: ServedResponse): void {
  const { server } = request.socket as { server?: unknown };
  const hasBody =
    request.headers['transfer-encoding'] !== undefined ||
    Number(request.headers['content-length'] ?? 0) > 0;
  if (!(server instanceof EventEmitter) || hasBody || response.socket === null) return;
  response.shouldKeepAlive = false;
  Object.assign(request, { upgrade: true });
  const keep = (_request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    // The parser removed its own listener when it let go of the socket.
    socket.on('error', () => undefined);
    if (head.length > 0) socket.unshift(head);
  };
  server.once('upgrade', keep);
  setImmediate(() => server.off('upgrade', keep));
}
