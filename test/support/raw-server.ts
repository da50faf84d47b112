import * as net from 'node:net';
import { Mailbox } from './mailbox.ts';

/**
 * A TCP server on the loopback interface that says whatever a test wants it to, once a caller has
 * sent something: for endpoints that break the rules of HTTP.
 */
export class RawServer {
  readonly #server: net.Server;
  readonly #sockets = new Set<net.Socket>();
  readonly #closed = new Mailbox<void>();

  private constructor(speak: (socket: net.Socket) => void) {
    this.#server = net.createServer((socket) => {
      this.#sockets.add(socket);
      // Callers that give up reset the connection: that is what the tests are about.
      socket.on('error', () => undefined);
      socket.once('data', () => {
        speak(socket);
      });
      socket.once('close', () => {
        this.#sockets.delete(socket);
        this.#closed.put();
      });
    });
  }

  static async start(speak: (socket: net.Socket) => void): Promise<RawServer> {
    const server = new RawServer(speak);
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve));
    return server;
  }

  get port(): number {
    return (this.#server.address() as net.AddressInfo).port;
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Resolves when a connection has ended, each counted once. */
  nextClose(): Promise<void> {
    return this.#closed.take();
  }

  /** Drops all connections. */
  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }
}
