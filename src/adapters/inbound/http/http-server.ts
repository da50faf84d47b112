import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import type { Startable } from '../../../application/ports/startable.ts';
import { answerClientError } from './client-error.ts';

/** Milliseconds. A connection is kept for longer than load balancers keep theirs, which is 60 s. */
const TIMEOUTS = {
  headersTimeout: 15_000,
  requestTimeout: 120_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 5_000,
} as const;

/** Listens for requests, and lets those in flight finish when it is stopped. */
export class HttpServer implements Startable {
  readonly name = 'HTTP server';
  readonly #server: Server;
  readonly #port: number;
  readonly #sockets = new Set<Socket>();
  readonly #inFlight = new Set<ServerResponse>();
  #closed: Promise<void> | undefined;

  /** @param port the port to listen on, 0 for any that is free. */
  constructor(listener: RequestListener, port: number) {
    this.#port = port;
    const inFlight = this.#inFlight;
    function leave(this: ServerResponse): void {
      inFlight.delete(this);
    }
    const handle = (
      request: IncomingMessage,
      response: ServerResponse & { req: IncomingMessage },
    ): void => {
      if (this.#closed !== undefined) response.shouldKeepAlive = false;
      inFlight.add(response);
      response.on('close', leave);
      listener(request, response);
    };
    this.#server = createServer(TIMEOUTS, handle)
      // Whether a client may send its body is for the listener to say.
      .on('checkContinue', handle)
      .on('clientError', answerClientError)
      .on('connection', (socket: Socket) => {
        this.#sockets.add(socket);
        socket.on('close', () => this.#sockets.delete(socket));
      });
  }

  /** The port that is listened on, known once started. */
  get port(): number {
    const address = this.#server.address();
    if (address === null || typeof address === 'string')
      throw new Error('The HTTP server is not listening');
    return address.port;
  }

  /** Rejects when the port cannot be listened on. */
  async start(): Promise<void> {
    this.#server.listen(this.#port);
    await once(this.#server, 'listening');
  }

  async stop(deadline: AbortSignal): Promise<void> {
    if (this.#server.listening) this.#closed = this.#close();
    const giveUp = (): void => {
      this.#server.closeAllConnections();
    };
    deadline.addEventListener('abort', giveUp);
    if (deadline.aborted) giveUp();
    await this.#closed;
    deadline.removeEventListener('abort', giveUp);
  }

  async #close(): Promise<void> {
    const closed = once(this.#server, 'close');
    // Their answers tell the clients that the connection ends here.
    for (const response of this.#inFlight) response.shouldKeepAlive = false;
    this.#server.close();
    this.#closeIdleConnections();
    await closed;
  }

  /** Node counts a connection that never sent anything as busy, so this is done here. */
  #closeIdleConnections(): void {
    const busy = new Set([...this.#inFlight].map(({ req }) => req.socket));
    for (const socket of this.#sockets) if (!busy.has(socket)) socket.destroy();
  }
}
