import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import type { Target } from '../load.ts';

/** Between two requests, in milliseconds. */
const PAUSE = 10;

/** An ordinary client that adds a job and reads a page, one request after the other, while others attack. */
export class Neighbour {
  /** The longest that it waited for an answer, in milliseconds. */
  longestWait = 0;
  /** How many of its requests were not answered with 200. */
  failures = 0;
  readonly #pool: Pool;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #running: Promise<void>;
  #ended = false;

  constructor({ host, port, token }: Target) {
    this.#pool = new Pool(`http://${host}:${port}`, { connections: 1 });
    this.#headers = { authorization: `Bearer ${token}` };
    this.#running = this.#run();
  }

  async end(): Promise<void> {
    this.#ended = true;
    await this.#running;
    await this.#pool.close();
  }

  async #run(): Promise<void> {
    while (!this.#ended) {
      await this.#ask('POST', '/queues/neighbour/jobs', '[{"name":"job","data":"x"}]');
      await this.#ask('GET', '/queues/neighbour/jobs?length=1');
      await sleep(PAUSE);
    }
  }

  async #ask(method: 'GET' | 'POST', path: string, body?: string): Promise<void> {
    const started = performance.now();
    const headers = this.#headers;
    try {
      const answer = await this.#pool.request({ method, path, headers, ...(body && { body }) });
      await answer.body.dump();
      if (answer.statusCode !== 200) this.failures += 1;
    } catch {
      this.failures += 1;
    }
    this.longestWait = Math.max(this.longestWait, performance.now() - started);
  }
}
