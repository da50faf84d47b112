import type { ServedResponse } from './exchange.ts';

/**
 * Aborts when the client has left, or the service begins to shut down. A client that leaves closes its side of the
 * connection, but so may a client that still reads: the answer is sent in any case.
 */
export function endOfWait(response: ServedResponse): AbortSignal {
  const end = new AbortController();
  const abort = (): void => {
    end.abort();
  };
  const { ending } = response;
  const { socket } = response.req;
  if (ending?.aborted === true || socket.readableEnded) abort();
  ending?.addEventListener('abort', abort);
  socket.once('end', abort);
  response.once('close', () => {
    ending?.removeEventListener('abort', abort);
    socket.off('end', abort);
    abort();
  });
  return end.signal;
}
