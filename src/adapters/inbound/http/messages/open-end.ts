import type { IncomingMessage } from 'node:http';
import type { ExchangeResponse } from './exchange.ts';
import { cutReply, LINGER_TIME } from './send-reply.ts';

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

/**
 * The end of an answer may be stuck behind what its client does not take. A connection that is only closed then
 * leaves some megabytes with the system, which offers them to the client for minutes.
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
