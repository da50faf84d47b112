import { once } from 'node:events';
import type { RequestListener, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { LoggerPort } from '../../../application/ports/logger-port.ts';
import type { Startable } from '../../../application/ports/startable.ts';
import { Connection, type Answer } from './connection.ts';
import { HTTP_TIMEOUTS, type HttpTimeouts } from './http-timeouts.ts';
import { createServer } from './node-http.ts';

export interface HttpServerSettings {
  /** The port to listen on, 0 for any that is free. */
  readonly port: number;
  /** Most connections at once. Beyond, new ones are closed unanswered and the others go on. */
  readonly maxConnections: number;
  readonly timeouts?: HttpTimeouts;
}

/** Listens for requests, and lets those in flight finish when it is stopped. */
export class HttpServer implements Startable {
  readonly name = 'HTTP server';
  readonly #server: Server;
  readonly #port: number;
  readonly #maxConnections: number;
  readonly #timeouts: HttpTimeouts;
  readonly #logger: LoggerPort;
  readonly #connections = new Map<Socket, Connection>();
  #refusedConnections = 0;
  #closed: Promise<void> | undefined;

  constructor(
    listener: RequestListener,
    { port, maxConnections, timeouts = HTTP_TIMEOUTS }: HttpServerSettings,
    logger: LoggerPort,
  ) {
    this.#port = port;
    this.#maxConnections = maxConnections;
    this.#timeouts = timeouts;
    this.#logger = logger;
    this.#server = createServer({
      headersTimeout: timeouts.headers,
      requestTimeout: timeouts.request,
      keepAliveTimeout: timeouts.keepAlive,
      connectionsCheckingInterval: timeouts.checkInterval,
    });
    // Headers are bounded by their size. Node would drop the rest of many, and change what they say.
    this.#server.maxHeadersCount = 0;
    this.#listen(listener);
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
    const check = setInterval(() => {
      this.#endOverdueExchanges();
      this.#reportRefusals();
    }, this.#timeouts.checkInterval);
    this.#server.once('close', () => {
      clearInterval(check);
    });
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

  #listen(listener: RequestListener): void {
    const connections = this.#connections;
    function leave(this: Answer): void {
      connections.get(this.req.socket)?.end(this);
    }
    const handle = (request: Answer['req'], response: Answer): void => {
      if (this.#closed !== undefined) response.shouldKeepAlive = false;
      connections.get(request.socket)?.begin(response);
      response.on('close', leave);
      listener(request, response);
    };
    this.#server
      .on('request', handle)
      // Whether a client may send its body is for the listener to say.
      .on('checkContinue', handle)
      .on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
        connections.get(socket)?.refuse(error);
      })
      .on('connection', (socket: Socket) => {
        this.#admit(socket);
      });
  }

  /** Node's own limit would let the processes of a cluster pass refused connections round for ever. */
  #admit(socket: Socket): void {
    if (this.#connections.size >= this.#maxConnections) {
      this.#refusedConnections += 1;
      socket.destroy();
      return;
    }
    const connection = new Connection(socket);
    this.#connections.set(socket, connection);
    socket.on('close', () => {
      connection.abandon();
      this.#connections.delete(socket);
    });
  }

  async #close(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const connection of this.#connections.values()) connection.close();
    await closed;
  }

  /** A client that takes that long for its answer would never take it, and keep it in memory. */
  #endOverdueExchanges(): void {
    const latest = performance.now() - this.#timeouts.exchange;
    for (const connection of this.#connections.values()) connection.endIfOlder(latest);
  }

  #reportRefusals(): void {
    if (this.#refusedConnections === 0) return;
    const [refused, limit] = [this.#refusedConnections, this.#maxConnections];
    this.#logger.warn('New connections were refused, there are too many', { refused, limit });
    this.#refusedConnections = 0;
  }
}
