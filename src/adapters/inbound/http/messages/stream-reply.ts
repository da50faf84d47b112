import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ExchangeResponse } from './exchange.ts';
import type { StreamedReply } from './reply.ts';
import { beginReply, endReply } from './send-reply.ts';
import type { TransferMemory } from './transfer-memory.ts';

/**
 * Sends an answer piece by piece: the next one is not asked for before the client took the last. It ends
 * when the client goes away.
 *
 * @throws HttpError `overloaded` before anything is sent, and whatever the pieces throw.
 */
export async function streamReply(
  request: IncomingMessage,
  response: ExchangeResponse,
  reply: StreamedReply,
  memory: TransferMemory,
): Promise<void> {
  for await (const piece of reply.pieces) {
    if (response.destroyed) return;
    if (response.headersSent) {
      memory.takeAnyway(response, piece.length);
    } else {
      memory.take(response, piece.length);
      beginReply(request, response, reply);
      // Nothing of the body is sent, so nothing of it needs to be read.
      if (request.method === 'HEAD') break;
      request.resume();
    }
    if (!response.write(piece)) await taken(response);
    memory.giveBack(response, piece.length);
  }
  if (!response.destroyed) endReply(request, response, '');
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
