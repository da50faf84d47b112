import { Worker } from 'node:worker_threads';

/** Answers the first request of each connection and closes it shortly after, without saying so. */
const SERVER = `
  const { createServer } = require('node:net');
  const { parentPort, workerData } = require('node:worker_threads');
  const closed = new Int32Array(workerData);
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => {
      socket.write('HTTP/1.1 200 OK\\r\\ncontent-length: 0\\r\\n\\r\\n');
      setTimeout(() => socket.end(), 50);
      socket.once('finish', () => {
        Atomics.store(closed, 0, 1);
        Atomics.notify(closed, 0);
      });
    });
  });
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
`;

/** A server in a thread of its own, so that it goes on while the thread of the test is busy. */
export class HastyServer {
  readonly origin: string;
  readonly #worker: Worker;
  readonly #closed: Int32Array;

  private constructor(worker: Worker, closed: Int32Array, port: number) {
    this.#worker = worker;
    this.#closed = closed;
    this.origin = `http://127.0.0.1:${port}`;
  }

  static async start(): Promise<HastyServer> {
    const shared = new SharedArrayBuffer(4);
    const worker = new Worker(SERVER, { eval: true, workerData: shared });
    const port = await new Promise<number>((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', reject);
    });
    return new HastyServer(worker, new Int32Array(shared), port);
  }

  /** Blocks this thread until the server has closed a connection. */
  waitForClose(): void {
    Atomics.wait(this.#closed, 0, 0, 5000);
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }
}
