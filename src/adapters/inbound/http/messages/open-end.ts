import type { IncomingMessage } from 'node:http';
import type { ExchangeResponse } from './exchange.ts';
import { LINGER_TIME } from './send-reply.ts';

/** How long a client that was too slow may take for what is left, in milliseconds. */
const LATE_READER_TIME = 30_000;

/** Lets the exchange go on for as long as it likes. @returns what aborts when it has to end all the same. */
export function openEnd({ socket }: IncomingMessage, response: ExchangeResponse): AbortController {
  response.isOpenEnded = true;
  // With the answer ends its connection: a client that is told to come back finds a replica that takes it.
  response.shouldKeepAlive = false;
  const end = new AbortController();
  const abort = (): void => {
    end.abort();
  };
  const { ending } = response;
  if (ending?.aborted === true) abort();
  else ending?.addEventListener('abort', abort);
  // Whoever follows has nothing more to say as long as it does: with its side it closes the stream.
  socket.once('end', abort);
  response.once('close', () => {
    ending?.removeEventListener('abort', abort);
    socket.off('end', abort);
    abort();
  });
  return end;
}

/** The end of an answer may be stuck behind what its client does not take. */
export function dropUnlessTaken(response: ExchangeResponse): void {
  const drop = (): void => {
    response.destroy();
  };
  const timer = setTimeout(
    drop,
    response.ending?.aborted === true ? LINGER_TIME : LATE_READER_TIME,
  );
  response.once('close', () => {
    clearTimeout(timer);
  });
}
