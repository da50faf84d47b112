import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** Answers one call. @param body of the call, as JSON. */
export type Receive = (path: string, body: unknown, response: ServerResponse) => Promise<void>;

/** A server for the calls of an endpoint. A call that cannot be answered loses its connection. */
export class CallServer {
  readonly #server: Server;

  constructor(receive: Receive) {
    this.#server = createServer((request, response) => {
      json(request)
        .then((body) => receive(request.url ?? '', body, response))
        .catch(() => response.destroy());
    });
  }

  /** Resolves when it listens on a free port of loopback. */
  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }
}
