import type { IncomingMessage } from 'node:http';
import { SlowReaderError } from '../../../../application/events/slow-reader-error.ts';
import type { ExchangeResponse } from './exchange.ts';
import { dropUnlessTaken, openEnd } from './open-end.ts';
import type { OpenEndedReply, StreamedReply } from './reply.ts';
import { beginReply, endReply, LINGER_TIME } from './send-reply.ts';
import { UNCOUNTED_SIZE, type TransferBudget } from './transfer-budget.ts';

/** More than a piece of several items takes, in bytes. Only an item that is large itself exceeds it. */
const USUAL_CHARGE = 1_048_576;

/**
 * Sends an answer piece by piece: the next one is not requested before the client took the last. It ends
 * when the client goes away. Until then it is charged for the largest of its pieces, as text and as bytes.
 *
 * @throws HttpError `overloaded` when the budget is too small for a piece, and any error of the pieces.
 */
export async function streamReply(
  request: IncomingMessage,
  response: ExchangeResponse,
  reply: StreamedReply | OpenEndedReply,
  budget: TransferBudget,
): Promise<void> {
  const end = 'openPieces' in reply ? openEnd(request, response) : undefined;
  const pieces =
    'openPieces' in reply ? reply.openPieces((end as AbortController).signal) : reply.pieces;
  let charged = 0;
  for await (const piece of pieces) {
    if (response.destroyed) return;
    const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece;
    const held = typeof piece === 'string' ? piece.length + bytes.length : bytes.length;
    const charge = chargeFor(held, response);
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
    if (!response.write(bytes)) await taken(response, end);
    // The system buffers the first pieces of every answer. Were each given back then, any number of answers
    // could begin, to be stuck with a later piece. Only an answer without an end cannot hold on to its charge.
    if (response.isOpenEnded === true) {
      budget.refund(response, charged);
      charged = 0;
    }
  }
  if (response.destroyed) return;
  if (end !== undefined) dropUnlessTaken(response);
  endReply(request, response, '');
}

/** An answer that ends is charged for a usual piece at once: later ones may be longer by a little. */
function chargeFor(bytes: number, { isOpenEnded }: ExchangeResponse): number {
  if (bytes <= UNCOUNTED_SIZE) return 0;
  return isOpenEnded === true ? bytes : Math.max(bytes, USUAL_CHARGE);
}

/**
 * Resolves when what was written has gone, or the connection. An answer without an end is over when its client
 * takes nothing for too long; what is left of it is written all the same.
 */
function taken(response: ExchangeResponse, end: AbortController | undefined): Promise<void> {
  if (end?.signal.aborted === true) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      response.off('drain', done).off('close', done);
      end?.signal.removeEventListener('abort', done);
      resolve();
    };
    const timer =
      end && setTimeout(() => end.abort(new SlowReaderError()), response.patience ?? LINGER_TIME);
    response.on('drain', done).on('close', done);
    end?.signal.addEventListener('abort', done);
  });
}
