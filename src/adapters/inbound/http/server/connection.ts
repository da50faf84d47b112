import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { answerClientError } from './client-error.ts';
import type { ServedResponse } from '../../exchange/exchange.ts';
import type { EventLoopTurns } from '../messages/event-loop-turns.ts';
import { protocolFault } from './protocol-fault.ts';

/** The most exchanges in flight over one connection. Further pipelined requests wait. */
const MOST_IN_FLIGHT = 50;

/** How long a connected client may take to send its first request, in milliseconds. */
const FIRST_REQUEST_TIME = 1000;

/** An exchange in flight. */
interface Exchange {
  readonly answer: ServedResponse;
  /** When it began, on the monotonic clock. */
  readonly begun: number;
}

/** One connection, and the exchanges in flight over it: several when its client pipelines. */
export class Connection {
  readonly #socket: Socket;
  readonly #begin: (answer: ServerResponse) => void;
  readonly #turns: EventLoopTurns;
  /** The oldest first. Not a Map: one that is emptied again and again keeps what was in it alive. */
  readonly #exchanges: Exchange[] = [];
  /** Pipelined requests beyond the limit. No more are read until these have been begun. */
  readonly #waiting: ServerResponse[] = [];
  /** How many bytes the client had sent by the time the last due answer had gone. */
  #answeredUpTo: number | undefined;
  #turnTaken = false;
  /** The answer that announces the end of the connection, once it is to end. */
  #last: ServerResponse | undefined;
  #ending = false;
  #closing = false;
  #refused = false;

  /**
   * @param begin handles a request when its turn has come
   * @param turns for requests that waited, so that other connections are served in between
   */
  constructor(socket: Socket, begin: (answer: ServerResponse) => void, turns: EventLoopTurns) {
    this.#socket = socket;
    this.#begin = begin;
    this.#turns = turns;
  }

  /** Handles a new request. A request behind an answer that ends the connection is ignored. */
  receive(answer: ServerResponse): void {
    if (this.#isOver) return;
    const fault = protocolFault(answer.req);
    if (fault !== undefined) {
      answer.req.resume();
      this.refuse(fault);
      return;
    }
    if (this.#ending) this.#makeLast(answer);
    if (this.#exchanges.length < MOST_IN_FLIGHT && this.#waiting.length === 0) this.#handle(answer);
    else this.#wait(answer);
  }

  /** Called when an answer has gone, or its client has left. */
  end(answer: ServerResponse): void {
    const index = this.#exchanges.findIndex((each) => each.answer === answer);
    if (index !== -1) this.#exchanges.splice(index, 1);
    this.#answeredUpTo = this.#socket.bytesRead;
    if (this.#waiting.length > 0) this.#takeTurn();
    // An answer that was already being sent when shutdown began could not announce the end.
    else if (this.#closing && this.#isIdle) this.#socket.destroySoon();
  }

  /** Makes the last due answer announce that the connection ends with it. */
  announceEnd(): void {
    this.#ending = true;
    const last = this.#waiting.at(-1) ?? this.#exchanges.at(-1)?.answer;
    if (last !== undefined) this.#makeLast(last);
  }

  /**
   * Makes the exchanges in flight the last ones. A client that has sent no request, or only part of one, may still send
   * that one: it cannot know that it comes too late.
   */
  close(): void {
    this.announceEnd();
    this.#closing = true;
    if (!this.#isIdle) return;
    if (this.#answeredUpTo === this.#socket.bytesRead) {
      this.#socket.destroy();
      return;
    }
    const timer = setTimeout(() => {
      if (this.#isIdle) this.#socket.destroy();
    }, FIRST_REQUEST_TIME);
    this.#socket.once('close', () => {
      clearTimeout(timer);
    });
  }

  /**
   * Ends the connection if its oldest exchange began before `time`, no matter what it is waiting for, unless that
   * exchange is open-ended. Data that the system holds for a client that does not read is dropped too.
   */
  endIfOlder(time: number): void {
    const [oldest] = this.#exchanges;
    if (oldest === undefined) return;
    const { answer, begun } = oldest;
    if (begun < time && answer.isOpenEnded !== true) this.#socket.resetAndDestroy();
  }

  /** Called when the connection is closed. Node notifies only the current answer, not the ones queued behind it. */
  abandon(): void {
    this.#waiting.length = 0;
    for (const { answer } of [...this.#exchanges]) {
      if (answer.socket !== null) continue;
      answer.destroy();
      answer.emit('close');
    }
  }

  /** Refuses bytes that are not a valid request, once the answers to the requests before them have gone. */
  refuse(error: NodeJS.ErrnoException): void {
    if (error.code === 'ECONNRESET') this.#socket.destroy();
    if (this.#refused) return;
    this.#refused = true;
    const answers = [...this.#exchanges.map(({ answer }) => answer), ...this.#waiting];
    const last = answers.findLast(({ req }) => req.complete);
    if (last === undefined) this.#answer(error);
    else last.once('close', () => this.#answer(error));
  }

  get #isIdle(): boolean {
    return this.#exchanges.length === 0 && this.#waiting.length === 0;
  }

  get #isOver(): boolean {
    if (this.#last === undefined) return this.#refused;
    return this.#refused || this.#closing || this.#last.headersSent;
  }

  #handle(answer: ServerResponse): void {
    this.#exchanges.push({ answer, begun: performance.now() });
    this.#begin(answer);
  }

  #wait(answer: ServerResponse): void {
    this.#waiting.push(answer);
    if (this.#waiting.length > 1) return;
    this.#socket.on('resume', this.#pause);
    this.#pause();
  }

  /** Node resumes a connection whenever it is done with a request. */
  readonly #pause = (): void => {
    this.#socket.pause();
  };

  #takeTurn(): void {
    if (this.#turnTaken) return;
    this.#turnTaken = true;
    void this.#turns.next().then(() => {
      this.#turnTaken = false;
      this.#handleWaiting();
    });
  }

  #handleWaiting(): void {
    const room = MOST_IN_FLIGHT - this.#exchanges.length;
    for (const answer of this.#waiting.splice(0, room)) this.#handle(answer);
    if (this.#waiting.length === 0) this.#socket.off('resume', this.#pause).resume();
  }

  #makeLast(answer: ServerResponse): void {
    if (this.#last !== undefined) this.#last.shouldKeepAlive = true;
    this.#last = undefined;
    if (answer.headersSent) return;
    this.#last = answer;
    answer.shouldKeepAlive = false;
  }

  /** A request that broke off within its body may already have been answered. */
  #answer(error: NodeJS.ErrnoException): void {
    const answered = this.#exchanges.some(({ answer }) => answer.headersSent);
    if (!answered) answerClientError(error, this.#socket);
  }
}
