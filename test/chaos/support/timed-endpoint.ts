import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Job } from '../../../src/domain/jobs/job.ts';

/** A call as the endpoint saw it. Times are ms of `performance.now()`. */
export interface TimedCall {
  readonly queue: string;
  readonly arrivedAt: number;
  /** When its attempt started, by the clock of the service; epoch ms. */
  startedAt: number;
  /** When it was answered, or its connection broke; undefined while it runs. */
  endedAt: number | undefined;
}

/** An endpoint whose calls take as long as the data of their jobs say, in ms, and which keeps when each began and ended. */
export class TimedEndpoint {
  readonly calls: TimedCall[] = [];
  readonly #server: Server;
  #running = 0;
  #mostAtOnce = 0;

  private constructor() {
    this.#server = createServer((request, response) => {
      const call: TimedCall = {
        queue: (request.url ?? '').slice(1),
        arrivedAt: performance.now(),
        startedAt: NaN,
        endedAt: undefined,
      };
      this.calls.push(call);
      this.#running += 1;
      this.#mostAtOnce = Math.max(this.#mostAtOnce, this.#running);
      response.once('close', () => {
        this.#running -= 1;
        call.endedAt = performance.now();
      });
      void text(request).then(
        (body) => {
          const { job } = JSON.parse(body) as { job: Job };
          call.startedAt = job.processedOn ?? NaN;
          setTimeout(() => response.end(), Number(job.data) - (performance.now() - call.arrivedAt));
        },
        () => undefined,
      );
    });
  }

  static async start(): Promise<TimedEndpoint> {
    const endpoint = new TimedEndpoint();
    await new Promise<void>((resolve) => endpoint.#server.listen(0, '127.0.0.1', resolve));
    return endpoint;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get mostAtOnce(): number {
    return this.#mostAtOnce;
  }

  /** How many calls ran on average in a span of time. */
  meanRunning(from: number, to: number): number {
    let sum = 0;
    for (const { arrivedAt, endedAt = to } of this.calls) {
      sum += Math.max(0, Math.min(endedAt, to) - Math.max(arrivedAt, from));
    }
    return sum / (to - from);
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
