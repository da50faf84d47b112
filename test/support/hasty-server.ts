import { Worker } from 'node:worker_threads';

/**
 * Answers the first request of each connection, after `pause` ms, and closes it shortly after, without saying so, where
 * that is asked for. Says in `shared` when that is done, and posts a message for each request.
 */
const SERVER = `
  const { createServer } = require('node:net');
  const { parentPort, workerData: { shared, pause, closes } } = require('node:worker_threads');
  const done = new Int32Array(shared);
  const report = () => {
    Atomics.store(done, 0, 1);
    Atomics.notify(done, 0);
  };
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => {
      parentPort.postMessage('request');
      setTimeout(() => {
        socket.write('HTTP/1.1 200 OK\\r\\ncontent-length: 0\\r\\n\\r\\n', closes ? undefined : report);
        if (!closes) return;
        setTimeout(() => socket.end(), 50);
        socket.once('finish', report);
      }, pause);
    });
  });
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
`;

/** A server in a thread of its own, so that it goes on while the thread of the test is busy. */
export class HastyServer {
  readonly origin: string;
  readonly #worker: Worker;
  readonly #done: Int32Array;

  private constructor(worker: Worker, done: Int32Array, port: number) {
    this.#worker = worker;
    this.#done = done;
    this.origin = `http://127.0.0.1:${port}`;
  }

  /** Answers the first request of each connection at once, and closes it 50 ms later. */
  static closing(): Promise<HastyServer> {
    return HastyServer.#start({ pause: 0, closes: true });
  }

  /** Answers the first request of each connection after `pause` ms. */
  static answeringAfter(pause: number): Promise<HastyServer> {
    return HastyServer.#start({ pause, closes: false });
  }

  static async #start(behaviour: { pause: number; closes: boolean }): Promise<HastyServer> {
    const shared = new SharedArrayBuffer(4);
    const worker = new Worker(SERVER, { eval: true, workerData: { shared, ...behaviour } });
    const port = await new Promise<number>((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', reject);
    });
    return new HastyServer(worker, new Int32Array(shared), port);
  }

  /** Resolves when the next request has arrived. */
  nextRequest(): Promise<void> {
    return new Promise((resolve) => {
      this.#worker.once('message', () => {
        resolve();
      });
    });
  }

  /** Blocks this thread until the server has closed a connection, or answered. */
  waitUntilDone(): void {
    Atomics.wait(this.#done, 0, 0, 5000);
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }
}
