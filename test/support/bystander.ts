import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { ServiceProcess } from './service-process.ts';

/** Between two requests, in milliseconds. */
const PAUSE = 10;

/** An ordinary client that adds jobs and asks for them, one call after the other, and wants a 200. */
export class Bystander {
  /** How many of its requests were answered as they should. */
  served = 0;
  /** The longest that it waited for an answer, in milliseconds. */
  slowest = 0;
  /** What it got instead of a 200. */
  readonly failures: string[] = [];
  readonly #pool: Pool;
  readonly #ended = new AbortController();
  readonly #running: Promise<void>;

  constructor(service: ServiceProcess) {
    this.#pool = new Pool(service.url, { connections: 1 });
    this.#running = this.#run();
  }

  /** Resolves when it has been served once more, or when it was not. */
  async another(): Promise<void> {
    const before = this.served + this.failures.length;
    while (this.served + this.failures.length === before) await sleep(PAUSE);
  }

  async end(): Promise<void> {
    this.#ended.abort();
    await this.#running;
    await this.#pool.close();
  }

  async #run(): Promise<void> {
    while (!this.#ended.signal.aborted) {
      await this.#ask('POST', '/queues/bystander/jobs', '[{"name":"job","data":"x"}]');
      await this.#ask('GET', '/queues/bystander/jobs?length=1');
      await sleep(PAUSE);
    }
  }

  async #ask(method: 'GET' | 'POST', path: string, body?: string): Promise<void> {
    const started = performance.now();
    const headers = { authorization: `Bearer ${ServiceProcess.token}` };
    try {
      const options = { method, path, headers, ...(body !== undefined && { body }) };
      const answer = await this.#pool.request(options);
      await answer.body.dump();
      if (answer.statusCode === 200) this.served += 1;
      else this.failures.push(`${method} ${path}: ${answer.statusCode}`);
    } catch (error) {
      this.failures.push(`${method} ${path}: ${String(error)}`);
    }
    this.slowest = Math.max(this.slowest, performance.now() - started);
  }
}
