import { once, setMaxListeners } from 'node:events';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { Server as PortServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LoggerPort } from '../../../../application/ports/logger-port.ts';
import type { Startable } from '../../../../application/running/startable.ts';
import { Connection } from './connection.ts';
import { EventLoopTurns } from '../messages/event-loop-turns.ts';
import type { ServedResponse } from '../../exchange/exchange.ts';
import { HTTP_TIMEOUTS, type HttpTimeouts } from './http-timeouts.ts';
import { createServer } from '../messages/node-http.ts';
import { quietTurn } from './quiet-turn.ts';

/** The interval at which a draining server checks whether its port is closed, in milliseconds. */
const DRAIN_CHECK_INTERVAL = 20;

export interface HttpServerSettings {
  /** Identifies the server in the log. */
  readonly name?: string;
  /** The port to listen on, 0 for any free port. */
  readonly port: number;
  /** The one address to listen on; all unless given. */
  readonly address?: string;
  /** The most connections at once. Beyond that, new ones are closed unanswered, and the others continue. */
  readonly maxConnections: number;
  /** How long requests are still served once shutdown has begun, in milliseconds (DRAIN_TIME). */
  readonly drainTime: number;
  readonly timeouts?: HttpTimeouts;
}

/**
 * Listens for requests. On shutdown it first ends the open-ended answers. It continues to serve, and each answer
 * announces that its connection closes, so that clients and load balancers turn elsewhere. Then it closes the port and
 * lets the requests in flight finish.
 */
export class HttpServer implements Startable {
  readonly name: string;
  readonly #server: Server;
  readonly #port: number;
  readonly #address: string | undefined;
  readonly #maxConnections: number;
  readonly #drainTime: number;
  readonly #timeouts: HttpTimeouts;
  readonly #logger: LoggerPort;
  readonly #begin: (answer: ServerResponse) => void;
  readonly #connections = new Map<Socket, Connection>();
  readonly #turns = new EventLoopTurns();
  #arrivals = 0;
  #refusedConnections = 0;
  readonly #ending = new AbortController();
  #listening: Promise<void> | undefined;
  #isServing = false;
  #ended: Promise<unknown> | undefined;
  #closed: Promise<void> | undefined;

  constructor(listener: RequestListener, settings: HttpServerSettings, logger: LoggerPort) {
    const { name = 'HTTP server', port, maxConnections, drainTime } = settings;
    const { timeouts = HTTP_TIMEOUTS } = settings;
    this.name = name;
    this.#port = port;
    this.#address = settings.address;
    this.#maxConnections = maxConnections;
    this.#drainTime = drainTime;
    this.#timeouts = timeouts;
    this.#logger = logger;
    this.#server = createServer({
      headersTimeout: timeouts.headers,
      requestTimeout: timeouts.request,
      keepAliveTimeout: timeouts.keepAlive,
      connectionsCheckingInterval: timeouts.checkInterval,
    });
    // The size of headers is bounded anyway. By default, Node also drops headers beyond a certain number, which may
    // change a request.
    this.#server.maxHeadersCount = 0;
    // A client that has sent its request may close its side and still wait for the answer.
    Object.assign(this.#server, { httpAllowHalfOpen: true });
    // Every long answer listens for the shutdown.
    setMaxListeners(0, this.#ending.signal);
    this.#begin = (answer: ServedResponse) => {
      answer.isEarly = !this.#isServing;
      answer.ending = this.#ending.signal;
      answer.bodyPatience = timeouts.body;
      answer.patience = timeouts.reader;
      answer.latePatience = timeouts.lateReader;
      listener(answer.req, answer);
    };
    this.#attach();
  }

  /** The port that the server listens on, known once the server has started. */
  get port(): number {
    const address = this.#server.address();
    if (address === null || typeof address === 'string')
      throw new Error('The HTTP server is not listening');
    return address.port;
  }

  /** Serves all requests. Rejects when the server cannot listen on the port. */
  async start(): Promise<void> {
    await this.listen();
    this.#isServing = true;
  }

  /** Listens, and marks requests as early until the server has started. Rejects when it cannot listen on the port. */
  listen(): Promise<void> {
    this.#listening ??= this.#listenOnPort();
    return this.#listening;
  }

  async #listenOnPort(): Promise<void> {
    this.#server.listen(this.#port, this.#address);
    await once(this.#server, 'listening');
    this.#ended = once(this.#server, 'close');
    const check = setInterval(() => {
      this.#endOverdueExchanges();
      this.#reportRefusals();
    }, this.#timeouts.checkInterval);
    this.#server.once('close', () => {
      clearInterval(check);
    });
  }

  async drain(deadline: AbortSignal, isInterrupt = false): Promise<void> {
    this.#announceEnd();
    if (!this.#isServing) return;
    const end = performance.now() + this.#drainTime;
    const mayCallersCome = (): boolean => !isInterrupt || this.#connections.size > 0;
    // In a group of processes, the supervisor closes the port once all processes know of the shutdown.
    while (
      this.#server.listening &&
      mayCallersCome() &&
      performance.now() < end &&
      !deadline.aborted
    ) {
      const pause = Math.min(DRAIN_CHECK_INTERVAL, end - performance.now());
      await sleep(pause, undefined, { signal: deadline }).catch(() => undefined);
    }
  }

  async stop(deadline: AbortSignal): Promise<void> {
    if (this.#ended !== undefined) this.#closed ??= this.#close(deadline, this.#ended);
    const giveUp = (): void => {
      this.#server.closeAllConnections();
    };
    deadline.addEventListener('abort', giveUp);
    if (deadline.aborted) giveUp();
    await this.#closed;
    deadline.removeEventListener('abort', giveUp);
  }

  #attach(): void {
    const connections = this.#connections;
    function leave(this: ServerResponse): void {
      connections.get(this.req.socket)?.end(this);
    }
    const receive = (request: IncomingMessage, response: ServerResponse): void => {
      response.on('close', leave);
      connections.get(request.socket)?.receive(response);
    };
    this.#server
      .on('request', receive)
      // The listener decides whether a client may send its body.
      .on('checkContinue', receive)
      .on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
        connections.get(socket)?.refuse(error);
      })
      .on('connection', (socket: Socket) => {
        this.#admit(socket);
      });
  }

  /** With Node's own limit, the processes of a cluster would pass refused connections around for ever. */
  #admit(socket: Socket): void {
    this.#arrivals += 1;
    if (this.#connections.size >= this.#maxConnections) {
      this.#refusedConnections += 1;
      socket.destroy();
      return;
    }
    const connection = new Connection(socket, this.#begin, this.#turns);
    this.#connections.set(socket, connection);
    if (this.#ending.signal.aborted) connection.announceEnd();
    socket
      .on('end', () => {
        connection.announceEnd();
      })
      .on('close', () => {
        connection.abandon();
        this.#connections.delete(socket);
      });
  }

  #announceEnd(): void {
    this.#ending.abort();
    for (const connection of this.#connections.values()) connection.announceEnd();
  }

  async #close(deadline: AbortSignal, ended: Promise<unknown>): Promise<void> {
    this.#announceEnd();
    if (!deadline.aborted) await this.#untilNobodyComes();
    if (this.#server.listening) this.#closePort();
    for (const connection of this.#connections.values()) connection.close();
    if (deadline.aborted) this.#server.closeAllConnections();
    await ended;
  }

  /**
   * When the port closes, the system resets the connections that it has accepted and the process has not taken yet, and
   * when an idle connection closes, a request on it that the process has not read. So both close right after a turn
   * without any, also where the supervisor has closed the port already. Slow work is done before: closing takes ten
   * times as long when its code runs for the first time.
   */
  async #untilNobodyComes(): Promise<void> {
    const arrivals = (): number => this.#arrivals;
    await quietTurn(arrivals);
    createServer().close();
    await quietTurn(arrivals);
  }

  /** Node's own closing of an HTTP server cuts off answers that have ended but are still being sent. */
  #closePort(): void {
    PortServer.prototype.close.call(this.#server);
  }

  /** Ends exchanges with clients that take too long to read their answers, which would stay in memory for ever. */
  #endOverdueExchanges(): void {
    const latest = performance.now() - this.#timeouts.exchange;
    for (const connection of this.#connections.values()) connection.endIfOlder(latest);
  }

  #reportRefusals(): void {
    if (this.#refusedConnections === 0) return;
    const [refused, limit] = [this.#refusedConnections, this.#maxConnections];
    this.#logger.warn('Connection limit reached: new connections were refused', { refused, limit });
    this.#refusedConnections = 0;
  }
}
