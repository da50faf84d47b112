import * as http from 'node:http';
import * as https from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Job } from '../../src/domain/jobs/job.ts';
import type { Certificate } from './certificate.ts';
import { Mailbox } from './mailbox.ts';

/** A call that the endpoint received, whole. */
export interface EndpointCall {
  readonly method: string;
  /** Path and query as they were asked for. */
  readonly path: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
  /** The parsed body; reading it throws when that is no JSON. */
  readonly body: { readonly job: Job; readonly token: string };
  /** Port of the caller: equal for calls that came over the same connection. */
  readonly connection: number;
  /** Resolves when the exchange is over: to true when the answer was sent whole. */
  readonly answered: Promise<boolean>;
}

export type EndpointHandler = (
  call: EndpointCall,
  response: http.ServerResponse,
) => void | Promise<void>;

/** Answers every call alike. A string or bytes go as they are, anything else as JSON. */
export function answer(
  status: number,
  body: unknown = '',
  headers: http.OutgoingHttpHeaders = {},
): EndpointHandler {
  return (_call, response) => {
    const plain = typeof body === 'string' || Buffer.isBuffer(body);
    const type = plain ? {} : { 'content-type': 'application/json' };
    response.writeHead(status, { ...type, ...headers }).end(plain ? body : JSON.stringify(body));
  };
}

/**
 * A worker endpoint on the loopback interface that records its calls. It answers as `respond` says,
 * which may be replaced at any time: at first 200 with an empty body.
 */
export class EndpointServer {
  /** All calls so far, oldest first. */
  readonly calls: EndpointCall[] = [];
  respond: EndpointHandler;
  /** How many connections were opened so far. */
  connectionsMade = 0;
  readonly #arrivals = new Mailbox<EndpointCall>();
  readonly #server: http.Server;
  readonly #scheme: string;
  readonly #sockets = new Set<Socket>();

  private constructor(respond: EndpointHandler, certificate: Certificate | undefined) {
    this.respond = respond;
    const receive = (request: http.IncomingMessage, response: http.ServerResponse) =>
      void this.#receive(request, response).catch(() => response.destroy());
    this.#scheme = certificate === undefined ? 'http' : 'https';
    this.#server =
      certificate === undefined
        ? http.createServer(receive)
        : https.createServer(certificate, receive);
    this.#server.on('connection', (socket) => {
      this.connectionsMade += 1;
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
  }

  static async start(
    respond: EndpointHandler = answer(200),
    certificate?: Certificate,
  ): Promise<EndpointServer> {
    const endpoint = new EndpointServer(respond, certificate);
    await new Promise<void>((resolve) => endpoint.#server.listen(0, '127.0.0.1', resolve));
    return endpoint;
  }

  get origin(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `${this.#scheme}://127.0.0.1:${port}`;
  }

  get url(): string {
    return `${this.origin}/hook`;
  }

  /** The next call that was not handed out yet, waiting for it if need be. */
  nextCall(): Promise<EndpointCall> {
    return this.#arrivals.take();
  }

  /** Resolves to the number of open connections. */
  connections(): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#server.getConnections((error, count) => {
        if (error) reject(error);
        else resolve(count);
      });
    });
  }

  /** Drops the connections over which no call waits for its answer. */
  dropIdle(): void {
    this.#server.closeIdleConnections();
  }

  /** Resets all connections and refuses new ones for a moment, as a process that is killed and started anew. */
  async crash(): Promise<void> {
    const { port } = this.#server.address() as AddressInfo;
    const closed = new Promise((resolve) => this.#server.close(resolve));
    for (const socket of this.#sockets) socket.resetAndDestroy();
    await closed;
    await new Promise<void>((resolve) => this.#server.listen(port, '127.0.0.1', resolve));
  }

  /** Drops all connections. */
  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  async #receive(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const answered = new Promise<boolean>((resolve) => {
      response.once('close', () => {
        resolve(response.writableFinished);
      });
    });
    const body = await text(request);
    const call: EndpointCall = {
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      text: body,
      get body() {
        return JSON.parse(body) as EndpointCall['body'];
      },
      connection: request.socket.remotePort ?? 0,
      answered,
    };
    this.calls.push(call);
    this.#arrivals.put(call);
    await this.respond(call, response);
  }
}
