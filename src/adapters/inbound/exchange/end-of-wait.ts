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
  return endOf(response, undefined, response.req.socket.readableEnded).signal;
}

/** Aborts as `clientLeft` does, and when the service begins to shut down. */
export function endOfWait(response: AwaitedAnswer): AbortSignal {
  return endOf(response, response.ending, response.req.socket.readableEnded).signal;
}

/** Aborts as the client closes its side, as an answer is over, and with `ending`. @param isOver whether it is over by now. */
export function endOf(
  response: AwaitedAnswer,
  ending: AbortSignal | undefined,
  isOver: boolean,
): AbortController {
  const end = new AbortController();
  const abort = (): void => {
    end.abort();
  };
  const { socket } = response.req;
  if (ending?.aborted === true || isOver) abort();
  ending?.addEventListener('abort', abort);
  socket.once('end', abort);
  response.once('close', () => {
    ending?.removeEventListener('abort', abort);
    socket.off('end', abort);
    abort();
  });
  return end;
}
