import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import type { Target } from './load.ts';

/** Between two requests, in milliseconds. */
const PAUSE = 10;

/** An ordinary client that adds a job and reads a page, one request after the other, while others do more. */
export class Neighbour {
  /** The queue that it uses. */
  static readonly queue = 'neighbour';
  /** How many of its requests were not answered with 200. */
  failures = 0;
  /** How many of these were answered with 503, or not at all. */
  unavailable = 0;
  /** How long it waited for each answer, in milliseconds. */
  readonly waits: number[] = [];
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
      const path = `/queues/${Neighbour.queue}/jobs`;
      await this.#ask('POST', path, '[{"name":"job","data":"x"}]');
      await this.#ask('GET', `${path}?length=1`);
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
      if (answer.statusCode === 503) this.unavailable += 1;
    } catch {
      this.failures += 1;
      this.unavailable += 1;
    }
    this.waits.push(performance.now() - started);
  }
}
