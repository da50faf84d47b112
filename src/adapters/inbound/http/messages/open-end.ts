import type { IncomingMessage } from 'node:http';
import { LINGER_TIME } from '../../exchange/end-reply.ts';
import type { ExchangeResponse } from '../../exchange/exchange.ts';
import { cutReply } from '../../exchange/send-reply.ts';

/** Lifts the time limit of the exchange. @returns a controller that aborts when the exchange must end. */
export function openEnd({ socket }: IncomingMessage, response: ExchangeResponse): AbortController {
  response.isOpenEnded = true;
  // The connection ends with the answer, so that a client that reconnects reaches a replica that serves it.
  response.shouldKeepAlive = false;
  const end = new AbortController();
  const abort = (): void => {
    end.abort();
  };
  const { ending } = response;
  if (ending?.aborted === true) abort();
  else ending?.addEventListener('abort', abort);
  // A subscriber sends nothing more, so when it closes its side, the stream ends.
  socket.once('end', abort);
  response.once('close', () => {
    ending?.removeEventListener('abort', abort);
    socket.off('end', abort);
    abort();
  });
  return end;
}

/**
 * Drops the connection if the end of the answer is stuck behind data that the client does not read. Merely closing it
 * would leave some megabytes in the buffers of the system, which keeps offering them to the client for minutes.
 */
export function dropUnlessTaken(response: ExchangeResponse): void {
  const { ending, latePatience = LINGER_TIME } = response;
  const drop = (): void => {
    cutReply(response);
  };
  let timer = setTimeout(drop, latePatience);
  const hurry = (): void => {
    clearTimeout(timer);
    timer = setTimeout(drop, LINGER_TIME);
  };
  if (ending?.aborted === true) hurry();
  else ending?.addEventListener('abort', hurry);
  response.once('close', () => {
    ending?.removeEventListener('abort', hurry);
    clearTimeout(timer);
  });
}
