import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

/** What the service calls for each job: it works for a while and answers. */
export class WorkerEndpoint {
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  /**
   * @param workTime how long (ms) a job takes.
   * @param started receives the data of each job as its work begins.
   * @param ended receives it once the work is done.
   */
  static async open(
    workTime: number,
    started: (data: unknown) => void,
    ended: (data: unknown) => void,
  ): Promise<WorkerEndpoint> {
    const server = createServer((request, response) => {
      void json(request).then(async (body) => {
        const { data } = (body as { readonly job: { readonly data: unknown } }).job;
        started(data);
        if (workTime > 0) await sleep(workTime);
        ended(data);
        response.setHeader('Content-Type', 'application/json').end('null');
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new WorkerEndpoint(server);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
