import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, Reply } from './client.ts';
import type { Replicas } from './replicas.ts';

/** Adds jobs at a steady pace, whether earlier calls were answered or not, over all replicas in turn. */
export class Traffic {
  /** Every reply so far. */
  readonly replies: Reply[] = [];
  readonly #calls = new Set<Promise<void>>();
  readonly #client: Client;
  readonly #replicas: Replicas;
  readonly #ended = new AbortController();
  readonly #running: Promise<void>;

  /** @param interval between two calls of one job each, in milliseconds */
  constructor(client: Client, replicas: Replicas, interval: number) {
    this.#client = client;
    this.#replicas = replicas;
    this.#running = this.#run(interval);
  }

  /** The longest that anybody waited for an answer, in milliseconds. */
  get slowest(): number {
    return Math.max(0, ...this.replies.map(({ ms }) => ms));
  }

  /** Adds no more. Resolves when every call has been answered or has failed. */
  async end(): Promise<void> {
    this.#ended.abort();
    await this.#running;
    await Promise.all(this.#calls);
  }

  async #run(interval: number): Promise<void> {
    const started = performance.now();
    for (let call = 1; !this.#ended.signal.aborted; call += 1) {
      this.#add();
      await sleep(started + call * interval - performance.now());
    }
  }

  #add(): void {
    const call = this.#client.add(this.#replicas.next).then((reply) => {
      this.#calls.delete(call);
      if (reply !== undefined) this.replies.push(reply);
    });
    this.#calls.add(call);
  }
}
