import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { WebSocket, type ClientOptions } from 'ws';
import { Mailbox } from './mailbox.ts';
import type { StreamedEvent } from './event-stream.ts';

/** Follows events over a WebSocket. */
export class EventSocket {
  readonly socket: WebSocket;
  /** The code with which it was closed. */
  readonly closed: Promise<number>;
  readonly #events = new Mailbox<StreamedEvent>();
  /** Where the stream is, as it tells without an event. */
  readonly #positions = new Mailbox<string>();

  private constructor(socket: WebSocket) {
    this.socket = socket;
    this.closed = new Promise((resolve) => {
      socket.on('close', resolve);
    });
    socket.on('message', (message: Buffer, isBinary) => {
      if (isBinary) throw new Error('The message is not text');
      const told = JSON.parse(message.toString()) as StreamedEvent | { readonly id: string };
      if ('event' in told) this.#events.put(told);
      else this.#positions.put(told.id);
    });
  }

  /**
   * Resolves when the WebSocket is open: it receives what happens from then on.
   *
   * @throws Error with the status and text of the answer when there is none.
   */
  static async open(url: string, options: ClientOptions = {}): Promise<EventSocket> {
    const socket = new WebSocket(url.replace(/^http/, 'ws'), options);
    const opened = new EventSocket(socket);
    await new Promise<void>((resolve, reject) => {
      socket.on('open', resolve).on('error', reject);
      socket.on('unexpected-response', (_request, answer: IncomingMessage) => {
        void text(answer).then((body) => {
          reject(new Error(`${answer.statusCode} ${body}`));
        });
      });
    });
    return opened;
  }

  next(): Promise<StreamedEvent> {
    return this.#events.take();
  }

  position(): Promise<string> {
    return this.#positions.take();
  }

  async take(count: number): Promise<StreamedEvent[]> {
    const taken: StreamedEvent[] = [];
    while (taken.length < count) taken.push(await this.next());
    return taken;
  }

  async ping(): Promise<void> {
    await once(this.socket, 'ping');
  }
}
