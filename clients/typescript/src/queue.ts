import { JobgateError } from './errors.ts';
import { followEvents, type EventOptions, type JobgateEvent } from './event-stream.ts';
import type { Call, CallOptions, Transport } from './transport.ts';
import type {
  Job,
  JobOptions,
  JobResult,
  NewJob,
  Query,
  RepairAnswer,
  RepairBody,
} from './types.ts';

export interface AddOptions extends CallOptions {
  readonly idempotencyKey?: string;
}

export interface SearchOptions extends CallOptions {
  readonly statuses?: readonly string[];
  readonly name?: string;
  readonly reason?: string;
  readonly status?: number;
  readonly from?: number;
  readonly to?: number;
  readonly data?: string;
  readonly length?: number;
  readonly view?: 'summary';
}

/** A promise of the job, and of its end. */
export type Added = Promise<Job> & { result(options?: CallOptions): Promise<JobResult> };

/** The service waits so long in one request for the end of a job. */
const WAIT = 30_000;

/** What the parts of a queue share: requests below a path. */
class Routes {
  protected readonly transport: Transport;
  protected readonly path: string;

  constructor(transport: Transport, path: string) {
    this.transport = transport;
    this.path = path;
  }

  protected async ask<Result = unknown>(method: string, path: string, call?: Call) {
    return (await this.transport.call(method, this.path + path, call)).body as Result;
  }
}

/** One queue. Making it sends nothing. */
export class Queue extends Routes {
  readonly name: string;
  readonly schedulers: Schedulers;
  readonly policy: Policy;

  constructor(transport: Transport, name: string) {
    super(transport, `/queues/${encodeURIComponent(name)}`);
    this.name = name;
    this.schedulers = new Schedulers(transport, `${this.path}/schedulers`);
    this.policy = new Policy(transport, `${this.path}/policy`);
  }

  /** Adds a job, once over all repetitions of the request. */
  add(name: string, data: unknown, opts?: JobOptions, options?: AddOptions): Added {
    const added = this.addAll([{ name, data, ...(opts && { opts }) }], options).then(
      ([job]) => job as Job,
    );
    const result = (wait?: CallOptions): Promise<JobResult> =>
      added.then((job) => this.result(job.id, wait));
    return Object.assign(added, { result });
  }

  addAll(
    jobs: readonly NewJob[],
    { idempotencyKey = crypto.randomUUID(), ...options }: AddOptions = {},
  ): Promise<Job[]> {
    return this.ask<Job[]>('POST', '/jobs', {
      ...options,
      body: jobs,
      headers: { 'idempotency-key': idempotencyKey },
      repeatable: true,
    });
  }

  get(options?: CallOptions) {
    return this.ask<Record<string, unknown>>('GET', '', options);
  }

  jobs({ signal, timeout, statuses, ...query }: Query & { statuses?: readonly string[] } = {}) {
    return this.ask<{ jobs: Job[]; counts: Record<string, number> }>('GET', '/jobs', {
      signal,
      timeout,
      query: { ...query, statuses: statuses?.join(',') },
    });
  }

  failures({ signal, timeout, ...query }: Query = {}) {
    return this.ask<Record<string, unknown>>('GET', '/failures', { signal, timeout, query });
  }

  figures({ signal, timeout, ...query }: Query = {}) {
    return this.ask<Record<string, unknown>>('GET', '/figures', { signal, timeout, query });
  }

  /**
   * Waits for the end of a job, over as many requests as that takes.
   *
   * @param options.timeout milliseconds to wait; without it there is no limit.
   * @throws JobgateError with status 202 when the time is up.
   */
  async result(id: string, { timeout = Infinity, signal }: CallOptions = {}): Promise<JobResult> {
    const end = Date.now() + timeout;
    for (;;) {
      const wait = Math.floor(Math.max(0, Math.min(WAIT, end - Date.now())));
      const { status, body } = await this.transport.call(
        'GET',
        `${this.path}/jobs/${encodeURIComponent(id)}/result`,
        { query: { timeout: wait }, signal, timeout: wait + this.transport.timeout },
      );
      if (status !== 202) return body as JobResult;
      if (Date.now() >= end) {
        const { state } = body as { readonly state: string };
        throw new JobgateError(`Job ${id} is ${state} after ${timeout} ms`, 202);
      }
    }
  }

  /** The jobs that match, over all pages. */
  async *search({ statuses, signal, timeout, ...query }: SearchOptions = {}): AsyncGenerator<
    Job,
    void,
    undefined
  > {
    let cursor: string | null | undefined;
    do {
      const page: { jobs: Job[]; cursor: string | null } = await this.ask('GET', '/jobs/search', {
        signal,
        timeout,
        query: { ...query, statuses: statuses?.join(','), cursor },
      });
      yield* page.jobs;
      cursor = page.cursor;
    } while (cursor !== null);
  }

  events(
    options: Omit<EventOptions, 'queues'> = {},
  ): AsyncGenerator<JobgateEvent, void, undefined> {
    return followEvents(this.transport, `${this.path}/events`, options);
  }

  pause(options?: CallOptions) {
    return this.ask('POST', '/pause', options);
  }

  resume(options?: CallOptions) {
    return this.ask('POST', '/resume', options);
  }

  hold(ms: number, options?: CallOptions) {
    return this.ask<{ until: number }>('POST', '/hold', { ...options, body: { for: ms } });
  }

  endHold(options?: CallOptions) {
    return this.ask('DELETE', '/hold', options);
  }

  drain({ delayed, ...options }: CallOptions & { delayed?: boolean } = {}) {
    return this.ask<{ removed: number }>('POST', '/drain', { ...options, body: { delayed } });
  }

  /** Removes the queue with all that belongs to it. */
  remove({ force, ...options }: CallOptions & { force?: boolean } = {}) {
    return this.ask<{ removed: { jobs: number; schedulers: number; worker: boolean } }>(
      'DELETE',
      '',
      { ...options, query: { confirm: this.name, force } },
    );
  }

  retry(what: RepairBody, options?: CallOptions) {
    return this.ask<RepairAnswer>('POST', '/retry', { ...options, body: what });
  }

  promote(what: RepairBody, options?: CallOptions) {
    return this.ask<RepairAnswer>('POST', '/promote', { ...options, body: what });
  }

  clean(what: RepairBody, options?: CallOptions) {
    return this.ask<RepairAnswer>('POST', '/clean', { ...options, body: what });
  }

  cancel(what: RepairBody, options?: CallOptions) {
    return this.ask<RepairAnswer>('POST', '/cancel', { ...options, body: what });
  }

  /** A handle of a job. Making it sends nothing. */
  job(id: string): JobHandle {
    return new JobHandle(this.transport, this, id);
  }
}

export class JobHandle extends Routes {
  readonly id: string;
  readonly #queue: Queue;

  constructor(transport: Transport, queue: Queue, id: string) {
    const name = encodeURIComponent(queue.name);
    super(transport, `/queues/${name}/jobs/${encodeURIComponent(id)}`);
    this.id = id;
    this.#queue = queue;
  }

  get(options?: CallOptions) {
    return this.ask<Job>('GET', '', options);
  }

  result(options?: CallOptions) {
    return this.#queue.result(this.id, options);
  }

  retry({ opts, data, ...options }: CallOptions & { opts?: JobOptions; data?: unknown } = {}) {
    return this.ask('POST', '/retry', { ...options, body: { opts, data } });
  }

  promote(options?: CallOptions) {
    return this.ask('POST', '/promote', options);
  }

  change({
    signal,
    timeout,
    ...body
  }: CallOptions & { data?: unknown; priority?: number; delay?: number }) {
    return this.ask<Job>('PATCH', '', { signal, timeout, body });
  }

  cancel({ reason, ...options }: CallOptions & { reason?: string } = {}) {
    return this.ask('POST', '/cancel', { ...options, body: { reason } });
  }

  remove(options?: CallOptions) {
    return this.ask('DELETE', '', options);
  }

  attempts(options?: CallOptions) {
    return this.ask<{ count: number; attempts: Record<string, unknown>[] }>(
      'GET',
      '/attempts',
      options,
    );
  }

  logs({ signal, timeout, ...query }: Query = {}) {
    return this.ask<{ logs: string[]; count: number }>('GET', '/logs', { signal, timeout, query });
  }

  children(options?: CallOptions) {
    return this.ask<Record<string, unknown>[]>('GET', '/children', options);
  }
}

export class Schedulers extends Routes {
  list({ signal, timeout, ...query }: Query = {}) {
    return this.ask<Record<string, unknown>[]>('GET', '', { signal, timeout, query });
  }

  put(id: string, body: object, options?: CallOptions) {
    return this.ask<Record<string, unknown>>('PUT', at(id), { ...options, body });
  }

  get(id: string, options?: CallOptions) {
    return this.ask<Record<string, unknown>>('GET', at(id), options);
  }

  remove(id: string, options?: CallOptions) {
    return this.ask('DELETE', at(id), options);
  }

  run(id: string, options?: CallOptions) {
    return this.ask<Job>('POST', `${at(id)}/run`, options);
  }

  pause(id: string, options?: CallOptions) {
    return this.ask('POST', `${at(id)}/pause`, options);
  }

  resume(id: string, options?: CallOptions) {
    return this.ask('POST', `${at(id)}/resume`, options);
  }
}

export class Policy extends Routes {
  get(options?: CallOptions) {
    return this.ask<Record<string, unknown>>('GET', '', options);
  }

  put(body: object, options?: CallOptions) {
    return this.ask<Record<string, unknown>>('PUT', '', { ...options, body });
  }

  remove(options?: CallOptions) {
    return this.ask('DELETE', '', options);
  }
}

export class Workers extends Routes {
  list({ signal, timeout, ...query }: Query = {}) {
    return this.ask('GET', '', { signal, timeout, query });
  }

  /** Answers the secret when the endpoint asks for signed calls and is new, else an empty object. */
  async register(
    worker: { queue: string; endpoint: object; opts?: object },
    options?: CallOptions,
  ): Promise<{ secret?: string }> {
    const answer = await this.ask('POST', '', { ...options, body: worker });
    return typeof answer === 'object' && answer !== null ? answer : {};
  }

  remove(queue: string, options?: CallOptions) {
    return this.ask('DELETE', at(queue), options);
  }

  health(queue: string, options?: CallOptions) {
    return this.ask<Record<string, unknown>>('GET', `${at(queue)}/health`, options);
  }

  test(
    queue: string,
    { name, data, ...options }: CallOptions & { name?: string; data?: unknown } = {},
  ) {
    const body = { name, data };
    return this.ask<Record<string, unknown>>('POST', `${at(queue)}/test`, { ...options, body });
  }

  rotateSecret(queue: string, options?: CallOptions) {
    return this.ask<{ secret: string }>('POST', `${at(queue)}/rotate-secret`, options);
  }

  enable(queue: string, options?: CallOptions) {
    return this.ask('POST', `${at(queue)}/enable`, options);
  }

  disable(queue: string, { reason, ...options }: CallOptions & { reason?: string } = {}) {
    return this.ask('POST', `${at(queue)}/disable`, { ...options, body: { reason } });
  }
}

function at(name: string): string {
  return `/${encodeURIComponent(name)}`;
}
