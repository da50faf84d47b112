import { followEvents, type EventOptions, type JobgateEvent } from './event-stream.ts';
import { PullWorker, type PullHandlers, type PullOptions } from './pull-worker.ts';
import { Queue, Workers } from './queue.ts';
import {
  Transport,
  type CallOptions,
  type ClientOptions,
  type RequestOptions,
} from './transport.ts';
import type { FlowNode, Query } from './types.ts';

/** The client of a service. Its URL and token come from the environment where they are not given. */
export class Jobgate {
  readonly workers: Workers;
  readonly #transport: Transport;

  constructor(options: ClientOptions = {}) {
    this.#transport = new Transport(options);
    this.workers = new Workers(this.#transport, '/workers');
  }

  queue(name: string): Queue {
    return new Queue(this.#transport, name);
  }

  queues(query?: Query) {
    return this.#read('/queues', query);
  }

  async flow(tree: FlowNode, options?: CallOptions) {
    const { body } = await this.#transport.call('POST', '/flows', { ...options, body: tree });
    return body as Record<string, unknown>;
  }

  events(options: EventOptions = {}): AsyncGenerator<JobgateEvent, void, undefined> {
    return followEvents(this.#transport, '/events', options);
  }

  /** Starts to claim jobs of a queue at once. */
  pull(queue: string, handlers: PullHandlers, options?: PullOptions): PullWorker {
    return new PullWorker(this.#transport, queue, handlers, options);
  }

  whoami(query?: Query) {
    return this.#read('/whoami', query);
  }

  failures(query?: Query) {
    return this.#read('/failures', query);
  }

  figures(query?: Query) {
    return this.#read('/figures', query);
  }

  system(query?: Query) {
    return this.#read('/system', query);
  }

  /** Any other route of the API: what it answers, such as the page of `request('GET', '/tokens')`. */
  async request<Body = unknown>(
    method: string,
    path: string,
    options: RequestOptions = {},
  ): Promise<Body> {
    return (await this.#transport.call(method, path, options)).body as Body;
  }

  async #read(path: string, { signal, timeout, ...query }: Query = {}) {
    const { body } = await this.#transport.call('GET', path, { signal, timeout, query });
    return body as Record<string, unknown>;
  }
}
