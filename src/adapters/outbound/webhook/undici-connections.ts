import type { Dispatcher } from 'undici';
// Not imported from the library's root, which loads six times as much: fetch, WebSocket, a cache and more.
import Client from 'undici/lib/dispatcher/client.js';
import type { AddressGuard } from './guard/address-guard.ts';
import { watchParser } from './undici-parser.ts';

/**
 * A connection to an origin, carrying one call at a time. It opens with its first call, and again if the endpoint has
 * closed it in the meantime.
 */
export class UndiciConnection {
  readonly #client: Client;
  readonly #socket = new AbortController();
  #onBytes: (bytes: number) => void = () => undefined;
  #isKept = false;

  constructor(
    origin: string,
    guard: AddressGuard,
    onConnect: () => void,
    onDisconnect: (connection: UndiciConnection) => void,
  ) {
    // Calls have their own limit, which covers connecting, headers and body together.
    this.#client = new Client(origin, {
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: { timeout: 0, signal: this.#socket.signal, lookup: guard.lookup },
    });
    this.#client.on('connect', () => {
      this.#isKept = false;
      watchParser(this.#client, (bytes) => {
        this.#onBytes(bytes);
      });
      onConnect();
    });
    this.#client.on('disconnect', () => {
      onDisconnect(this);
    });
  }

  /** Whether it carried a call before this one and has not been reopened since. */
  get isKept(): boolean {
    return this.#isKept;
  }

  /** Marks the end of a call that leaves the connection open. */
  keep(): void {
    this.#isKept = true;
  }

  /** @param onBytes is called with the number of bytes that came in, before they are parsed. */
  dispatch(
    options: Dispatcher.DispatchOptions,
    handler: Dispatcher.DispatchHandler,
    onBytes: (bytes: number) => void,
  ): void {
    this.#onBytes = onBytes;
    this.#client.dispatch(options, handler);
  }

  /** Ends the connection in any state; the client by itself would not give up connecting. */
  async destroy(): Promise<void> {
    const destroyed = this.#client.destroy();
    this.#socket.abort();
    await destroyed;
  }
}

/** The connections to one origin: as many as there are calls at once. */
export class UndiciConnections {
  readonly #origin: string;
  readonly #guard: AddressGuard;
  readonly #idle: UndiciConnection[] = [];
  #closed = false;
  #reached = false;

  constructor(origin: string, guard: AddressGuard) {
    this.#origin = origin;
    this.#guard = guard;
  }

  /** Whether a connection was ever made. */
  get reached(): boolean {
    return this.#reached;
  }

  /**
   * The connection that was used last: the endpoint is least likely to be closing it right now.
   *
   * @throws AddressRefusedError instead of opening one to a host that must not be connected to.
   */
  take(): UndiciConnection {
    return this.#idle.pop() ?? this.open();
  }

  /** @throws AddressRefusedError when the host must not be connected to. */
  open(): UndiciConnection {
    this.#guard.checkHost(new URL(this.#origin).hostname);
    const onConnect = (): void => {
      this.#reached = true;
    };
    return new UndiciConnection(this.#origin, this.#guard, onConnect, (closed) => {
      this.#forget(closed);
    });
  }

  /** Takes back a connection after a call that leaves it open. */
  release(connection: UndiciConnection): void {
    connection.keep();
    if (this.#closed) void connection.destroy();
    else this.#idle.push(connection);
  }

  /** Ends idle connections now, and the others as soon as their calls end. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.endIdle();
  }

  async endIdle(): Promise<void> {
    await Promise.all(this.#idle.splice(0).map((connection) => connection.destroy()));
  }

  #forget(connection: UndiciConnection): void {
    const index = this.#idle.indexOf(connection);
    if (index !== -1) void this.#idle.splice(index, 1)[0]?.destroy();
  }
}
