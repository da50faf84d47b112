import type { IncomingMessage } from 'node:http';
import { endReply, stillSending } from '../../../shared/end-reply.ts';
import type { ServedResponse } from './served-response.ts';
import type { SqsReply } from './sqs-reply.ts';

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
  if (stillSending(request)) response.shouldKeepAlive = false;
  response.writeHead(status, {
    ...headers,
    'X-Content-Type-Options': 'nosniff',
    'x-amzn-RequestId': requestId,
    'Content-Type': contentType,
    'Content-Length': Buffer.byteLength(body),
  });
  endReply(request, response, body);
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
