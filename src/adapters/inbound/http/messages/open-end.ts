import { SlowReaderError } from '../../../../domain/events/slow-reader-error.ts';
import { endOf } from '../../exchange/end-of-wait.ts';
import type { ExchangeResponse } from '../../exchange/exchange.ts';
import { cutReply, LINGER_TIME } from '../../exchange/send-reply.ts';

/**
 * Lifts the time limit of the exchange.
 *
 * The connection ends with the answer, so that a client that reconnects reaches a replica that serves it. A header says so
 * by how long the connection is kept: after `Connection: close`, fetch of Node.js 22 and 24 ends the process of a slow
 * reader whose connection is lost. After an answer with a length the connection stays, since fetch would drop the rest of
 * it for a slow reader.
 *
 * @param isEndless whether the answer has no length.
 * @returns a controller that aborts when the exchange must end.
 */
export function openEnd(response: ExchangeResponse, isEndless = true): AbortController {
  response.isOpenEnded = true;
  if (isEndless && response.shouldKeepAlive) {
    response.setHeader('Connection', 'keep-alive').setHeader('Keep-Alive', 'timeout=0');
    const { socket } = response.req;
    response.once('close', socket.destroySoon.bind(socket));
  }
  // A subscriber sends nothing more, so when it closes its side, the stream ends.
  return endOf(response, response.ending, false);
}

/**
 * Resolves when the client has taken what was sent, or the connection is lost. An open-ended answer is over when its client
 * reads nothing for too long; what is left of it is sent all the same.
 *
 * @param taken resolves once that is so.
 */
export function inTime(
  taken: Promise<unknown>,
  end: AbortController | undefined,
  { patience = LINGER_TIME }: ExchangeResponse,
): Promise<void> {
  if (end?.signal.aborted === true) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      end?.signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = end && setTimeout(() => end.abort(new SlowReaderError()), patience);
    end?.signal.addEventListener('abort', done);
    void taken.then(done);
  });
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
