import type {
  FiguredQueuesPage,
  Figures,
  FlowJobInput,
  QueueFailure,
  QueuesPage,
  StoredFlowJob,
  System,
  Topics,
  Whoami,
} from './api.ts';
import { followEvents, type EventOptions, type JobgateEvent } from './event-stream.ts';
import { Hooks } from './hooks.ts';
import { Limits } from './limits.ts';
import type {
  AddOptions,
  RecentFailuresOptions,
  FiguresOptions,
  QueuesOptions,
} from './options.ts';
import { PullWorker, type PullHandlers, type PullOptions } from './pull-worker.ts';
import { Queue } from './queue.ts';
import { at, Routes } from './routes.ts';
import { Topic } from './topic.ts';
import {
  environment,
  Transport,
  type CallOptions,
  type ClientOptions,
  type RequestOptions,
} from './transport.ts';
import { Workers } from './workers.ts';

/** The client of a service. */
export class Jobgate extends Routes {
  readonly workers: Workers;
  readonly hooks: Hooks;
  readonly limits: Limits;

  /** @throws Error without a URL or a token in the options or the environment. */
  constructor(options: ClientOptions = {}) {
    const url = options.url ?? required('JOBGATE_URL', 'url');
    super(new Transport(url, options.token ?? required('JOBGATE_TOKEN', 'token'), options), '');
    this.workers = new Workers(this.transport, '/workers');
    this.hooks = new Hooks(this.transport, '/hooks');
    this.limits = new Limits(this.transport, '/limits');
  }

  queue(name: string): Queue {
    return new Queue(this.transport, name);
  }

  queues(options: QueuesOptions & { view: 'figures' }): Promise<FiguredQueuesPage>;
  queues(options?: QueuesOptions): Promise<QueuesPage>;
  queues(options?: QueuesOptions): Promise<unknown> {
    return this.read('/queues', options);
  }

  /** Adds a tree of jobs, and returns it with their ids; repeating the request does not add it again. */
  flow(
    tree: FlowJobInput,
    { idempotencyKey, ...options }: AddOptions = {},
  ): Promise<StoredFlowJob> {
    return this.once<StoredFlowJob>('/flows', tree, idempotencyKey, options);
  }

  /** A topic. Creating it sends no request. */
  topic(name: string): Topic {
    return new Topic(this.transport, `/topics${at(name)}`);
  }

  topics(options?: CallOptions) {
    return this.read<Topics>('/topics', options);
  }

  events(options?: EventOptions): AsyncGenerator<JobgateEvent, void, undefined> {
    return followEvents(this.transport, '/events', options);
  }

  /** Starts to claim jobs of a queue immediately. */
  pull(queue: string, handlers: PullHandlers, options?: PullOptions): PullWorker {
    return new PullWorker(this.transport, queue, handlers, options);
  }

  whoami(options?: CallOptions) {
    return this.read<Whoami>('/whoami', options);
  }

  failures(options?: RecentFailuresOptions) {
    return this.read<readonly QueueFailure[]>('/failures', options);
  }

  figures(options?: FiguresOptions) {
    return this.read<Figures>('/figures', options);
  }

  system(options?: CallOptions) {
    return this.read<System>('/system', options);
  }

  /** Calls any other route of the API and returns the answer, such as the page of `request('GET', '/tokens')`. */
  request<Body = unknown>(method: string, path: string, options?: RequestOptions): Promise<Body> {
    return this.ask<Body>(method, path, options);
  }

  /** Calls a route with a large answer, and returns its bytes as they arrive, such as those of `POST /store/backup`. */
  stream(
    method: string,
    path: string,
    options?: RequestOptions,
  ): Promise<ReadableStream<Uint8Array>> {
    return this.transport.stream(method, path, options);
  }
}

function required(variable: string, option: string): string {
  const value = environment(variable);
  if (!value) throw new Error(`${variable} is not set: set it, or give the option ${option}`);
  return value;
}
