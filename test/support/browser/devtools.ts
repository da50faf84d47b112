import { once } from 'node:events';
import { WebSocket } from 'ws';

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly sessionId?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

interface Call {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** Speaks the DevTools protocol: calls that are answered, and events of pages. */
export class DevTools {
  readonly #socket: WebSocket;
  readonly #calls = new Map<number, Call>();
  readonly #listeners = new Map<string, (method: string, params: unknown) => void>();
  readonly #waits: { method: string; session: string; resolve: () => void }[] = [];
  #lastCall = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', (text: Buffer) => {
      this.#take(JSON.parse(text.toString()) as Message);
    });
    socket.on('close', () => {
      for (const { reject } of this.#calls.values()) reject(new Error('The browser has ended'));
    });
  }

  static async connect(url: string): Promise<DevTools> {
    const socket = new WebSocket(url);
    await once(socket, 'open');
    return new DevTools(socket);
  }

  /**
   * @param sessionId of the page that it is for; undefined for the browser.
   * @throws Error with the words of the browser.
   */
  call(method: string, params: object, sessionId?: string): Promise<unknown> {
    this.#lastCall += 1;
    const id = this.#lastCall;
    return new Promise((resolve, reject) => {
      this.#calls.set(id, { resolve, reject });
      this.#socket.send(JSON.stringify({ id, method, params, sessionId }));
    });
  }

  /** Ends the connection, and what is open for it alone with it. */
  async close(): Promise<void> {
    const closed = once(this.#socket, 'close');
    this.#socket.close();
    await closed;
  }

  /** Resolves with the next event of that name from a page. */
  event(method: string, session: string): Promise<void> {
    return new Promise((resolve) => {
      this.#waits.push({ method, session, resolve });
    });
  }

  /** Calls back with each event of a page. */
  listen(session: string, listener: (method: string, params: unknown) => void): void {
    this.#listeners.set(session, listener);
  }

  #take({ id, method = '', sessionId, params, result, error }: Message): void {
    if (id === undefined) {
      this.#listeners.get(sessionId ?? '')?.(method, params);
      const found = this.#waits.findIndex(
        (wait) => wait.method === method && wait.session === sessionId,
      );
      if (found !== -1) this.#waits.splice(found, 1)[0]?.resolve();
      return;
    }
    const call = this.#calls.get(id);
    this.#calls.delete(id);
    if (error === undefined) call?.resolve(result);
    else call?.reject(new Error(error.message));
  }
}
