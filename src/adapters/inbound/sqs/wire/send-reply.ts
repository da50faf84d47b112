import type { IncomingMessage } from 'node:http';
import type { ServedResponse } from './served-response.ts';
import type { SqsReply } from './sqs-reply.ts';

/** An unread body of at most this many bytes is skipped, to keep the connection. */
const SKIPPABLE_BODY = 65_536;

/** How long (ms) a client may keep sending a body that nothing reads. */
const LINGER_TIME = 2_000;

/** Sends the whole answer, or drops it when its client has left. */
export function sendReply(
  request: IncomingMessage,
  response: ServedResponse,
  reply: SqsReply,
  requestId: string,
): void {
  const { status, contentType, body, headers, undelivered } = reply;
  if (response.headersSent || response.destroyed) {
    undelivered?.();
    return;
  }
  if (undelivered !== undefined) watch(response, undelivered);
  const isSending = stillSending(request);
  if (isSending) response.shouldKeepAlive = false;
  response.writeHead(status, {
    ...headers,
    'X-Content-Type-Options': 'nosniff',
    'x-amzn-RequestId': requestId,
    'Content-Type': contentType,
    'Content-Length': Buffer.byteLength(body),
  });
  if (isSending) endAfterClient(request, response, body);
  else response.end(body);
}

/** A response also finishes when its connection is lost on the way; the rest of it is dropped. */
function watch(response: ServedResponse, undelivered: () => void): void {
  const { socket } = response.req;
  let isOut = false;
  response.once('finish', () => {
    isOut = !socket.destroyed && socket.errored === null;
  });
  response.once('close', () => {
    if (!isOut) undelivered();
  });
}

function stillSending(request: IncomingMessage): boolean {
  if (request.complete) return false;
  if (request.headers['transfer-encoding'] !== undefined) return true;
  return Number(request.headers['content-length'] ?? 0) > SKIPPABLE_BODY;
}

/**
 * Closing a connection while bytes still arrive resets it, and the client loses the answer. So the answer is sent
 * first, and the connection closes once the client has closed its side or taken too long.
 */
function endAfterClient(request: IncomingMessage, response: ServedResponse, body: string): void {
  response.flushHeaders();
  response.write(body);
  const end = (): void => {
    clearTimeout(timer);
    response.end();
  };
  const timer = setTimeout(end, LINGER_TIME);
  request.once('close', end).once('end', end).resume();
}
