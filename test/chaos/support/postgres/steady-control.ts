import { expect } from 'chai';
import { callInsistently } from '../insistent-call.ts';
import type { Replicas } from '../replicas.ts';

/** One client that does one thing after the other, each through another replica, and knows what was answered. */
export class SteadyControl {
  readonly #replicas: Replicas;
  readonly #queue: string;
  readonly #ended = new AbortController();
  readonly #running: Promise<void>;
  /** Ids of the jobs of adds that were answered with 200, in the order of the answers. */
  readonly #ids: number[] = [];
  #isPaused = false;

  constructor(replicas: Replicas, queue: string) {
    this.#replicas = replicas;
    this.#queue = queue;
    this.#running = this.#run();
  }

  async end(): Promise<void> {
    this.#ended.abort();
    await this.#running;
    await this.#expectPaused();
    await this.#expectAll();
  }

  async #run(): Promise<void> {
    while (!this.#ended.signal.aborted) {
      await this.#add();
      await this.#toggle();
      await this.#expectPaused();
    }
  }

  async #add(): Promise<void> {
    const jobs = [{ name: 'job', data: 0 }];
    const { status, text } = await this.#call('POST', `${this.#path}/jobs`, jobs);
    expect(status, text).to.equal(200);
    const [job] = JSON.parse(text) as readonly { readonly id: string }[];
    this.#ids.push(Number(job?.id));
  }

  async #toggle(): Promise<void> {
    const action = this.#isPaused ? 'resume' : 'pause';
    const { status, text } = await this.#call('POST', `${this.#path}/${action}`);
    expect(status, text).to.be.below(300);
    this.#isPaused = !this.#isPaused;
  }

  async #expectPaused(): Promise<void> {
    const { text } = await this.#call('GET', this.#path);
    const { paused } = JSON.parse(text) as { readonly paused: boolean };
    expect(paused, 'what every replica shows of what one answered').to.equal(this.#isPaused);
  }

  async #expectAll(): Promise<void> {
    expect(this.#ids, 'ids in the order of the adds').to.deep.equal(
      [...new Set(this.#ids)].toSorted((one, other) => one - other),
    );
    for (const id of this.#ids) {
      const { status } = await this.#call('GET', `${this.#path}/jobs/${id}`);
      expect(status, `job ${id}`).to.equal(200);
    }
  }

  get #path(): string {
    return `/queues/${this.#queue}`;
  }

  #call(method: string, path: string, body?: unknown): ReturnType<typeof callInsistently> {
    return callInsistently(this.#replicas, method, path, body);
  }
}
