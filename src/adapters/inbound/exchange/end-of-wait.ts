import type { ServerResponse } from 'node:http';

/** An answer that a client waits for. */
type AwaitedAnswer = ServerResponse & {
  /** Aborts when the service begins to shut down. */
  readonly ending?: AbortSignal;
};

/**
 * Aborts when the client has left. A client that leaves closes its side of the connection, but so may a client that still
 * reads: the answer is sent in any case.
 */
export function clientLeft(response: AwaitedAnswer): AbortSignal {
  return endOf(response, undefined);
}

/** Aborts as `clientLeft` does, and when the service begins to shut down. */
export function endOfWait(response: AwaitedAnswer): AbortSignal {
  return endOf(response, response.ending);
}

function endOf(response: AwaitedAnswer, ending: AbortSignal | undefined): AbortSignal {
  const end = new AbortController();
  const abort = (): void => {
    end.abort();
  };
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
