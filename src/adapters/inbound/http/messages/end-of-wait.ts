import type { ServedResponse } from './exchange.ts';

/**
 * Aborts when nobody waits for the answer any more, or the service begins to end. Whoever leaves closes its side
 * of the connection, and so may one who still reads: the answer is sent all the same.
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
