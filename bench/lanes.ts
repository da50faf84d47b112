import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { AnswerReader, isUsable, type Target } from './load.ts';

interface Waiting {
  readonly request: Buffer;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** Connections that are kept, for requests that differ: each goes out on the first that is free. */
export class Lanes {
  readonly #sockets: readonly Socket[];
  readonly #free: Socket[];
  readonly #waiting: Waiting[] = [];
  readonly #running = new Map<Socket, Waiting>();

  private constructor(sockets: readonly Socket[]) {
    this.#sockets = sockets;
    this.#free = [...sockets];
    for (const socket of sockets) {
      const answers = new AnswerReader((head) => this.#answered(socket, head));
      socket.on('data', (chunk) => answers.read(chunk));
    }
  }

  static async open({ host, port }: Target, connections: number): Promise<Lanes> {
    const sockets = Array.from({ length: connections }, () => connect(port, host).setNoDelay(true));
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    return new Lanes(sockets);
  }

  /** Resolves when it is answered. @throws Error with an answer that is not 200. */
  send(request: Buffer): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ request, resolve, reject });
      this.#next();
    });
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  #next(): void {
    const socket = this.#free.pop();
    if (socket === undefined) return;
    const waiting = this.#waiting.shift();
    if (waiting === undefined) {
      this.#free.push(socket);
      return;
    }
    this.#running.set(socket, waiting);
    socket.write(waiting.request);
  }

  #answered(socket: Socket, head: string): void {
    const waiting = this.#running.get(socket);
    this.#running.delete(socket);
    this.#free.push(socket);
    if (isUsable(head)) waiting?.resolve();
    else waiting?.reject(new Error(`The server answered ${head}`));
    this.#next();
  }
}
