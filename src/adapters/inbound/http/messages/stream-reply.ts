import type { IncomingMessage } from 'node:http';
import type { ExchangeResponse } from '../../exchange/exchange.ts';
import { dropUnlessTaken, inTime, openEnd } from './open-end.ts';
import type { OpenEndedReply, StreamedReply } from './reply.ts';
import { beginReply, endReply } from '../../exchange/send-reply.ts';
import { UNCOUNTED_SIZE, type TransferBudget } from '../../exchange/transfer-budget.ts';

/** More bytes than a piece of several items takes. Only a single large item exceeds it. */
const USUAL_CHARGE = 1_048_576;

/**
 * Sends an answer piece by piece: the next one is not requested before the client has taken the last. Sending ends when
 * the client goes away. Until then the answer is charged for its largest piece, as text and as bytes.
 *
 * @throws HttpError `overloaded` when the budget is too small for a piece, and any error of the pieces.
 */
export async function streamReply(
  request: IncomingMessage,
  response: ExchangeResponse,
  reply: StreamedReply | OpenEndedReply,
  budget: TransferBudget,
): Promise<void> {
  const isEndless = reply.headers?.['Content-Length'] === undefined;
  const end = 'openPieces' in reply ? openEnd(response, isEndless) : undefined;
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
      // The body is not sent, so it need not be read.
      if (request.method === 'HEAD') break;
      request.resume();
    }
    if (!response.write(bytes)) await inTime(whenTaken(response), end, response);
    // The system buffers the first pieces of every answer. If their charge were given back then, any number of answers
    // could begin, only to get stuck at a later piece. Only an open-ended answer cannot hold on to its charge.
    if (response.isOpenEnded === true) {
      budget.refund(response, charged);
      charged = 0;
    }
  }
  if (response.destroyed) return;
  if (end !== undefined) dropUnlessTaken(response);
  endReply(request, response, '');
}

/** An answer with an end is charged for a usual piece at once: later pieces may be a little longer than the first. */
function chargeFor(bytes: number, { isOpenEnded }: ExchangeResponse): number {
  if (bytes <= UNCOUNTED_SIZE) return 0;
  return isOpenEnded === true ? bytes : Math.max(bytes, USUAL_CHARGE);
}

function whenTaken(response: ExchangeResponse): Promise<void> {
  return new Promise((resolve) => {
    const taken = (): void => {
      response.off('drain', taken).off('close', taken);
      resolve();
    };
    response.on('drain', taken).on('close', taken);
  });
}
