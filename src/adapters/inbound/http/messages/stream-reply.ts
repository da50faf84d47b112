import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ExchangeResponse } from './exchange.ts';
import type { OpenEndedReply, StreamedReply } from './reply.ts';
import { beginReply, endReply } from './send-reply.ts';
import { UNCOUNTED_SIZE, type TransferBudget } from './transfer-budget.ts';

/** More than a piece of several items takes, in bytes. Only an item that is large itself exceeds it. */
const USUAL_CHARGE = 1_048_576;

/**
 * Sends an answer piece by piece: the next one is not asked for before the client took the last. It ends
 * when the client goes away. Until then it is charged for the largest of its pieces, as text and as bytes.
 *
 * @throws HttpError `overloaded` when the budget does not last for a piece, and whatever the pieces throw.
 */
export async function streamReply(
  request: IncomingMessage,
  response: ExchangeResponse,
  reply: StreamedReply | OpenEndedReply,
  budget: TransferBudget,
): Promise<void> {
  const pieces = 'pieces' in reply ? reply.pieces : reply.follow(openEnd(request, response));
  let charged = 0;
  for await (const piece of pieces) {
    if (response.destroyed) return;
    const bytes = Buffer.from(piece);
    const charge = chargeFor(piece.length + bytes.length, response);
    if (charge > charged) {
      budget.reserve(response, charge - charged);
      charged = charge;
    }
    if (!response.headersSent) {
      beginReply(request, response, reply);
      // Nothing of the body is sent, so nothing of it needs to be read.
      if (request.method === 'HEAD') break;
      request.resume();
    }
    if (!response.write(bytes)) await taken(response);
    // The system buffers the first pieces of every answer. Were each given back then, any number of answers
    // could begin, to be stuck with a later piece. Only an answer without an end cannot hold on to its charge.
    if (response.isOpenEnded === true) {
      budget.refund(response, charged);
      charged = 0;
    }
  }
  if (!response.destroyed) endReply(request, response, '');
}

/** An answer that ends is charged for a usual piece at once: later ones may be longer by a little. */
function chargeFor(bytes: number, { isOpenEnded }: ExchangeResponse): number {
  if (bytes <= UNCOUNTED_SIZE) return 0;
  return isOpenEnded === true ? bytes : Math.max(bytes, USUAL_CHARGE);
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
