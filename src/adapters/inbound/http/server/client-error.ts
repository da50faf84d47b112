import type { Duplex } from 'node:stream';
import { STATUS_CODES } from '../messages/node-http.ts';
import { ProtocolFault } from './protocol-fault.ts';

/** Statuses for errors of the HTTP parser; any other of its errors is a 400. */
const PARSER_STATUS: Readonly<Record<string, number>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  HPE_HEADER_OVERFLOW: 431,
};

/** How long a client may keep sending bytes that nothing reads, in milliseconds. */
const LINGER_TIME = 2_000;

/**
 * Answers bytes that are not a valid request, and closes their connection. A client that still sends gets time to read
 * the answer: closing while bytes arrive would reset the connection, and the answer would be lost.
 */
export function answerClientError(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const status = statusOf(error);
  const reply = rawReply(status, error instanceof ProtocolFault ? error.message : '');
  const close = (): void => {
    socket.destroy();
  };
  if (status === 408) {
    // The parser has not failed, and would treat the rest of the request as another one.
    socket.end(reply, close);
    return;
  }
  socket.end(reply);
  const timer = setTimeout(close, LINGER_TIME);
  socket.once('close', () => {
    clearTimeout(timer);
  });
}

function statusOf(error: NodeJS.ErrnoException): number {
  if (error instanceof ProtocolFault) return error.status;
  return PARSER_STATUS[error.code ?? ''] ?? 400;
}

/** @param message in ASCII; without one, the reason phrase of the status */
function rawReply(status: number, message: string): string {
  const reason = STATUS_CODES[status] ?? '';
  const body = message === '' ? reason : message;
  return [
    `HTTP/1.1 ${status} ${reason}`,
    'Content-Type: text/plain; charset=utf-8',
    `Content-Length: ${body.length}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}
