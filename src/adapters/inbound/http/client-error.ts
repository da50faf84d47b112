import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';

/** Statuses of requests that the HTTP parser gave up on. Anything else it dislikes is a 400. */
const PARSER_STATUS: Readonly<Record<string, number>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  HPE_HEADER_OVERFLOW: 431,
};

/** Answers what never became a request, and closes its connection. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  socket.end(rawReply(PARSER_STATUS[error.code ?? ''] ?? 400), () => socket.destroy());
}

function rawReply(status: number): string {
  const reason = STATUS_CODES[status] ?? '';
  return [
    `HTTP/1.1 ${status} ${reason}`,
    'Content-Type: text/plain; charset=utf-8',
    `Content-Length: ${reason.length}`,
    'Connection: close',
    '',
    reason,
  ].join('\r\n');
}
