import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ExchangeResponse } from './exchange.ts';
import type { Reply } from './reply.ts';

/** A body that was not read and is no longer than this is skipped, to keep the connection. Bytes. */
const SKIPPABLE_BODY = 65_536;

/** How long a client may go on sending a body that nobody wants. Milliseconds. */
const LINGER_TIME = 2_000;

/** Sends the whole answer. An answer that nobody waits for any more is dropped. */
export function sendReply(
  request: IncomingMessage,
  response: ExchangeResponse,
  reply: Reply,
): void {
  if (response.headersSent || response.destroyed) return;
  const linger = stillSending(request);
  if (linger) response.shouldKeepAlive = false;
  response.writeHead(reply.status, {
    'Content-Type': reply.contentType,
    'Content-Length': Buffer.byteLength(reply.body),
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': response.locals.id,
    ...reply.headers,
  });
  if (linger) endAfterClient(request, response, reply.body);
  else response.end(reply.body);
}

function stillSending(request: IncomingMessage): boolean {
  if (request.complete) return false;
  if (request.headers['transfer-encoding'] !== undefined) return true;
  return Number(request.headers['content-length'] ?? 0) > SKIPPABLE_BODY;
}

/**
 * Closing a connection while bytes still arrive resets it, and the client loses the answer. So the
 * answer is sent first, and the connection closes when the client has ended or taken too long.
 */
function endAfterClient(request: IncomingMessage, response: ServerResponse, body: string): void {
  response.flushHeaders();
  response.write(body);
  const end = (): void => {
    clearTimeout(timer);
    response.end();
  };
  const timer = setTimeout(end, LINGER_TIME);
  request.once('close', end).once('end', end).resume();
}
