import type { IncomingMessage } from 'node:http';
import type { WebSocket } from 'ws';
import { SlowReaderError } from '../../../../domain/events/slow-reader-error.ts';
import { invalidRequest } from '../../../../domain/errors.ts';
import type { ExchangeResponse } from '../../exchange/exchange.ts';
import { RequestAbortedError } from '../../exchange/http-error.ts';
import { dropUnlessTaken, inTime, openEnd } from './open-end.ts';
import type { MessageBatch, MessageReply } from './reply.ts';
import { UNCOUNTED_SIZE, type TransferBudget } from '../../exchange/transfer-budget.ts';
import { refuseOtherVersion } from './web-socket-request.ts';

/** The largest message that a client may send, in bytes: the service expects none. */
const LONGEST_MESSAGE = 1024;

/** Why the service closes a WebSocket (RFC 6455 and the registry of its close codes). */
const GOING_AWAY = 1001;
const TRY_AGAIN_LATER = 1013;

/**
 * Turns the connection into a WebSocket once the first messages are there, and sends messages batch by batch: the next
 * batch is not requested before the client has taken the last.
 *
 * @throws DomainError `invalid-request` when the handshake is broken, HttpError `upgrade-required` for another version of the protocol and `overloaded` when the budget is too
 * small for a batch, and any error of the batches.
 */
export async function webSocketReply(
  request: IncomingMessage,
  response: ExchangeResponse,
  { openMessages }: MessageReply,
  budget: TransferBudget,
): Promise<void> {
  const end = openEnd(response);
  let socket: WebSocket | undefined;
  for await (const batch of openMessages(end.signal)) {
    if (response.destroyed) return;
    socket ??= await accept(request, response);
    const size = batch.messages.reduce((sum, { length }) => sum + length, 0);
    const charge = size <= UNCOUNTED_SIZE ? 0 : size;
    if (charge > 0) budget.reserve(response, charge);
    // The batch goes to the system in one write, which takes a fraction of the time of one write per message.
    request.socket.cork();
    const sent = send(socket, batch);
    request.socket.uncork();
    if (socket.bufferedAmount > 0) await inTime(sent, end, response);
    if (charge > 0) budget.refund(response, charge);
  }
  if (response.destroyed) return;
  socket?.close(end.signal.reason instanceof SlowReaderError ? TRY_AGAIN_LATER : GOING_AWAY);
  dropUnlessTaken(response);
}

/**
 * Until it is accepted, the request is like any other, and so is an answer that refuses it. From then on, all bytes on
 * the connection belong to the WebSocket.
 */
async function accept(request: IncomingMessage, response: ExchangeResponse): Promise<WebSocket> {
  const { socket } = request;
  if (response.socket === null || !request.complete) {
    throw invalidRequest('A WebSocket begins with a request without a body, behind no other');
  }
  refuseOtherVersion(request);
  // Loaded on demand: most services never need it.
  const { WebSocketServer } = await import('ws');
  if (response.destroyed) throw new RequestAbortedError();
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: LONGEST_MESSAGE,
  });
  return new Promise((resolve, reject) => {
    server
      .on('wsClientError', ({ message }) => {
        reject(invalidRequest(`The WebSocket handshake is not valid: ${message}`));
      })
      .on('headers', (headers) => {
        headers.push(`X-Request-Id: ${response.locals.id}`);
        // The listener is the HTTP parser, which Node detaches from the connection by itself only when another one is
        // added.
        socket.removeAllListeners('data');
        response.statusCode = 101;
        response.locals.isUpgraded = true;
      });
    response.once('close', () => {
      reject(new RequestAbortedError());
    });
    server.handleUpgrade(request, socket, Buffer.alloc(0), (accepted) => {
      // The library closes a client that breaks the protocol; the error adds nothing useful.
      accepted.on('error', () => undefined);
      resolve(accepted);
    });
  });
}

/** Resolves when all messages were handed to the system or are lost with their connection. */
function send(socket: WebSocket, { messages, isSignOfLife }: MessageBatch): Promise<unknown> {
  return new Promise((resolve) => {
    if (isSignOfLife) socket.ping();
    messages.forEach((message, index) => {
      const isLast = index === messages.length - 1;
      socket.send(message, { binary: false }, isLast ? resolve : undefined);
    });
  });
}
