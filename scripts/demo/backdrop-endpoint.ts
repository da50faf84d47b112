import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { RestClient } from './rest-client.ts';

/** How long a report takes, in milliseconds. */
const REPORT = 8000;

/** How long the endpoint of receipts is away at first, in milliseconds. */
const AWAY = 15_000;

interface Call {
  readonly job: { readonly id: string; readonly data: { readonly file?: string } | null };
  readonly token: string;
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** The endpoints of other teams: one is quick, one takes its time, one refuses some jobs, one is down, one comes back. */
export class BackdropEndpoint {
  readonly #server: Server;
  readonly #jobgateUrl: string;
  readonly #hear: (text: string) => void;
  readonly #startedAt = performance.now();

  private constructor(jobgateUrl: string, hear: (text: string) => void) {
    this.#jobgateUrl = jobgateUrl;
    this.#hear = hear;
    this.#server = createServer((request, response) => {
      void json(request)
        .then((body) => this.#answerTo(request.url ?? '', body))
        .catch(() => ({ status: 500, body: { message: 'The endpoint has ended' } }))
        .then(({ status, body }) => {
          response.writeHead(status, { 'Content-Type': 'application/json' });
          response.end(JSON.stringify(body));
        });
    });
  }

  /**
   * @param jobgateUrl where it reports progress and logs to.
   * @param hear receives what the hook says.
   */
  static async start(jobgateUrl: string, hear: (text: string) => void): Promise<BackdropEndpoint> {
    const endpoint = new BackdropEndpoint(jobgateUrl, hear);
    endpoint.#server.listen(0, '127.0.0.1');
    await once(endpoint.#server, 'listening');
    return endpoint;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  #answerTo(path: string, body: unknown): Promise<Answer> {
    if (path !== '/hook') return this.#answer(path, body as Call);
    this.#hear((body as { readonly text: string }).text);
    return Promise.resolve({ status: 200, body: {} });
  }

  async #answer(path: string, { job, token }: Call): Promise<Answer> {
    await sleep(20 + Math.random() * 120);
    if (path === '/mail') return { status: 503, body: { message: 'The mail server is away' } };
    if (path === '/receipt' && performance.now() - this.#startedAt < AWAY) {
      return { status: 503, body: { message: 'The printer is out of paper' } };
    }
    if (path === '/report') await this.#report(job.id, new RestClient(this.#jobgateUrl, token));
    const file = job.data?.file;
    if (path === '/scale' && file?.endsWith('.png') !== true) {
      return { status: 422, body: { message: `Not a PNG: "${file ?? ''}"` } };
    }
    return { status: 200, body: { done: true } };
  }

  async #report(id: string, jobgate: RestClient): Promise<void> {
    for (const percent of [25, 50, 75]) {
      await jobgate.call('POST', `/queues/reports/jobs/${id}/progress`, percent);
      await jobgate.call('POST', `/queues/reports/jobs/${id}/logs`, `Rendered ${percent} %`);
      await sleep(REPORT / 4);
    }
  }
}
