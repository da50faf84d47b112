import { connect, type Socket } from 'node:net';

/** Where requests go. */
export interface Target {
  readonly host: string;
  readonly port: number;
  readonly token: string;
}

/** The service as the bench starts it. */
export function local({ port }: { readonly port: number }): Target {
  return { host: '127.0.0.1', port, token: 'bench' };
}

/** One kind of request, sent again and again. */
export interface Load {
  readonly method: string;
  /** One path for all requests, or that of each by its number. */
  readonly path: string | ((index: number) => string);
  readonly body?: string;
}

const CONTENT_LENGTH = /content-length: *(\d+)/i;
const HEAD_END = Buffer.from('\r\n\r\n');

/**
 * Sends the request over that many connections at once, the next one on each as soon as the answer to
 * the one before is complete. Raw sockets, since the generator shares the machine with what it measures.
 *
 * @returns how many were answered.
 * @throws Error with the first answer whose status is not 200, or that has no Content-Length.
 */
export async function sendLoad(
  target: Target,
  load: Load,
  connections: number,
  requests: number,
): Promise<number> {
  const { path } = load;
  const same = typeof path === 'string' ? requestBytes(target, load, path) : undefined;
  let sent = 0;
  const next = (): Buffer | undefined => {
    if (sent === requests) return undefined;
    sent += 1;
    return same ?? requestBytes(target, load, typeof path === 'string' ? path : path(sent));
  };
  const lanes = Array.from({ length: connections }, () => runLane(target, next));
  await Promise.all(lanes);
  return requests;
}

/** A whole request as it goes over the wire. */
export function requestBytes(
  { host, token }: Target,
  { method, body }: Omit<Load, 'path'>,
  path: string,
): Buffer {
  const length = body === undefined ? '' : `Content-Length: ${Buffer.byteLength(body)}\r\n`;
  const head =
    `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\n` +
    `Content-Type: application/json\r\n${length}\r\n`;
  return Buffer.from(head + (body ?? ''));
}

function runLane({ host, port }: Target, next: () => Buffer | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, host).setNoDelay(true);
    const answers = new AnswerReader((head) => {
      if (!isUsable(head)) {
        socket.destroy();
        reject(new Error(`The server answered ${head}`));
      } else send(socket);
    });
    const send = (to: Socket): void => {
      const request = next();
      if (request === undefined) to.end(() => resolve());
      else to.write(request);
    };
    socket.on('connect', () => send(socket));
    socket.on('data', (chunk) => answers.read(chunk));
    socket.on('error', reject);
  });
}

/** Whether what an answer begins with is that of a success, and says how long it is. */
export function isUsable(head: string): boolean {
  return /^HTTP\/1\.1 20[01] /.test(head) && CONTENT_LENGTH.test(head);
}

/** Finds the ends of answers in what a connection carries; each has a Content-Length. */
export class AnswerReader {
  readonly #onAnswer: (head: string) => void;
  #pending: Buffer = Buffer.alloc(0);
  #missing = 0;
  #head = '';

  constructor(onAnswer: (head: string) => void) {
    this.#onAnswer = onAnswer;
  }

  read(chunk: Buffer): void {
    if (this.#missing > chunk.length) {
      this.#missing -= chunk.length;
      return;
    }
    if (this.#missing > 0) {
      this.#missing = 0;
      this.#onAnswer(this.#head);
      return;
    }
    this.#pending = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk]);
    const end = this.#pending.indexOf(HEAD_END);
    if (end < 0) return;
    this.#head = this.#pending.toString('latin1', 0, end);
    const length = Number(CONTENT_LENGTH.exec(this.#head)?.[1] ?? 0);
    this.#missing = end + HEAD_END.length + length - this.#pending.length;
    this.#pending = Buffer.alloc(0);
    if (this.#missing <= 0) {
      this.#missing = 0;
      this.#onAnswer(this.#head);
    }
  }
}
