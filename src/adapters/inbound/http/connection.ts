import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { answerClientError } from './client-error.ts';

export type Answer = ServerResponse & { readonly req: IncomingMessage };

/** One connection, and the exchanges in flight over it: several when its client pipelines. */
export class Connection {
  readonly #socket: Socket;
  /** When each began, on the monotonic clock; the oldest is the first. */
  readonly #exchanges = new Map<Answer, number>();
  #refused = false;

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  begin(answer: Answer): void {
    this.#exchanges.set(answer, performance.now());
  }

  end(answer: Answer): void {
    this.#exchanges.delete(answer);
  }

  /** Makes the exchanges in flight the last ones; without any, the connection ends now. */
  close(): void {
    const last = [...this.#exchanges.keys()].at(-1);
    // Its answer tells the client that the connection ends here.
    if (last !== undefined) last.shouldKeepAlive = false;
    else this.#socket.destroy();
  }

  /** Ends the connection when some exchange began before the time, whatever it is waiting for. */
  endIfOlder(time: number): void {
    const [oldest = Infinity] = this.#exchanges.values();
    if (oldest < time) this.#socket.destroy();
  }

  /** The connection is closed. Node tells so only to the answer whose turn it is, not to those behind. */
  abandon(): void {
    for (const answer of this.#exchanges.keys()) {
      if (answer.socket !== null) continue;
      answer.destroy();
      answer.emit('close');
    }
  }

  /** Refuses what the parser gave up on, once the answers to the requests before it have gone. */
  refuse(error: NodeJS.ErrnoException): void {
    if (error.code === 'ECONNRESET') this.#socket.destroy();
    if (this.#refused) return;
    this.#refused = true;
    const last = [...this.#exchanges.keys()].findLast(({ req }) => req.complete);
    if (last === undefined) this.#answer(error);
    else last.once('close', () => this.#answer(error));
  }

  /** A request that broke within its body may have its answer already. */
  #answer(error: NodeJS.ErrnoException): void {
    const answered = [...this.#exchanges.keys()].some(({ headersSent }) => headersSent);
    if (!answered) answerClientError(error, this.#socket);
  }
}
