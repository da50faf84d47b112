import type { ServerResponse } from 'node:http';

/** A response as the server hands it over, with what it says of the service. */
export type ServedResponse = ServerResponse & {
  /** Whether the service is still starting. */
  readonly isEarly?: boolean;
  /** Aborts when the service begins to shut down. */
  readonly ending?: AbortSignal;
  /** The longest time without a byte of the request body, in milliseconds. */
  readonly bodyPatience?: number;
};

/** Aborts when the client has left: it has closed its side of the connection, or the answer is over. */
export function clientLeft(response: ServedResponse): AbortSignal {
  return endOf(response, undefined);
}

/** Aborts as `clientLeft` does, and when the service begins to shut down. */
export function endOfWait(response: ServedResponse): AbortSignal {
  return endOf(response, response.ending);
}

function endOf(response: ServedResponse, ending: AbortSignal | undefined): AbortSignal {
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
