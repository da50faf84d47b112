import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ExchangeResponse } from './exchange.ts';
import type { OpenEndedReply, StreamedReply } from './reply.ts';
import { beginReply, endReply } from './send-reply.ts';
import type { TransferBudget } from './transfer-budget.ts';

/**
 * Sends an answer piece by piece: the next one is not asked for before the client took the last. It ends
 * when the client goes away.
 *
 * @throws HttpError `overloaded` before anything is sent, and whatever the pieces throw.
 */
export async function streamReply(
  request: IncomingMessage,
  response: ExchangeResponse,
  reply: StreamedReply | OpenEndedReply,
  budget: TransferBudget,
): Promise<void> {
  const pieces = 'pieces' in reply ? reply.pieces : reply.follow(openEnd(request, response));
  for await (const piece of pieces) {
    if (response.destroyed) return;
    if (response.headersSent) {
      budget.charge(response, piece.length);
    } else {
      budget.reserve(response, piece.length);
      beginReply(request, response, reply);
      // Nothing of the body is sent, so nothing of it needs to be read.
      if (request.method === 'HEAD') break;
      request.resume();
    }
    if (!response.write(piece)) await taken(response);
    budget.refund(response, piece.length);
  }
  if (!response.destroyed) endReply(request, response, '');
}

/** Lets the exchange go on for as long as it likes. @returns what aborts when it has to end all the same. */
function openEnd({ socket }: IncomingMessage, response: ExchangeResponse): AbortSignal {
  response.isOpenEnded = true;
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
  return end.signal;
}

/** Ends the connection of an answer that cannot be completed in a way that no client takes for its end. */
export function cutReply(response: ServerResponse): void {
  if (response.socket === null) response.destroy();
  else response.socket.resetAndDestroy();
}

/** Resolves when what was written has gone, or the connection. */
function taken(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      response.off('drain', done).off('close', done);
      resolve();
    };
    response.on('drain', done).on('close', done);
  });
}
