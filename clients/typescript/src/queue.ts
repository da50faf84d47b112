import type {
  BulkRepairInput,
  Drained,
  EndedJob,
  Failures,
  Figures,
  Held,
  Job,
  JobInput,
  JobOptionsInput,
  JobSearch,
  JobSummary,
  JobsPage,
  Queue as QueueState,
  QueueRemoval,
  LetterRedriveInput,
  RepairResult,
  Signals,
  SignalSent,
  SummariesPage,
  SummarySearch,
} from './api.ts';
import { msOf } from './durations.ts';
import { errorOfOneJob, JobgateError } from './errors.ts';
import { followEvents, type EventOptions, type JobgateEvent } from './event-stream.ts';
import { Groups } from './groups.ts';
import { JobHandle } from './job-handle.ts';
import type {
  AddOptions,
  Added,
  AddedJob,
  FailuresOptions,
  FiguresOptions,
  JobsOptions,
  SearchOptions,
  SignalOptions,
  SignalsOptions,
} from './options.ts';
import { Policy } from './policy.ts';
import { at, Routes } from './routes.ts';
import { Schedulers } from './schedulers.ts';
import type { CallOptions, Transport } from './transport.ts';

/** How long (ms) one request waits for the end of a job at most. */
const WAIT = 30_000;

/** One queue. Creating it sends no request. */
export class Queue extends Routes {
  readonly name: string;
  readonly schedulers: Schedulers;
  readonly policy: Policy;
  readonly groups: Groups;

  constructor(transport: Transport, name: string) {
    super(transport, `/queues${at(name)}`);
    this.name = name;
    this.schedulers = new Schedulers(transport, `${this.path}/schedulers`);
    this.policy = new Policy(transport, `${this.path}/policy`);
    this.groups = new Groups(transport, `${this.path}/groups`);
  }

  /** Adds a job; repeating the request does not add it again. */
  add(name: string, data: unknown, opts?: JobOptionsInput, options?: AddOptions): Added {
    const added = this.addAll([{ name, data, opts }], options).then(
      ([job]) => job as AddedJob,
      (error: unknown) => {
        throw errorOfOneJob(error);
      },
    );
    return Object.assign(added, {
      result: async (wait?: CallOptions) => (await added).result(wait),
    });
  }

  /** Adds all jobs with one request; repeating the request does not add them again. */
  async addAll(
    jobs: readonly JobInput[],
    { idempotencyKey, ...options }: AddOptions = {},
  ): Promise<AddedJob[]> {
    const added = await this.once<Job[]>('/jobs', jobs, idempotencyKey, options);
    return added.map((job) => this.#withResult(job));
  }

  get(options?: CallOptions) {
    return this.read<QueueState>('', options);
  }

  jobs(options: JobsOptions & { view: 'summary' }): Promise<SummariesPage>;
  jobs(options?: JobsOptions): Promise<JobsPage>;
  jobs(options?: JobsOptions): Promise<unknown> {
    return this.read('/jobs', options);
  }

  failures(options?: FailuresOptions) {
    return this.read<Failures>('/failures', options);
  }

  figures(options?: FiguresOptions) {
    return this.read<Figures>('/figures', options);
  }

  /**
   * Waits for the end of a job, with as many requests as necessary.
   *
   * @param options.timeout how long (ms) to wait; unlimited by default.
   * @throws JobgateError with status 202 when the time is up.
   */
  async result(id: string, { timeout = Infinity, signal }: CallOptions = {}): Promise<EndedJob> {
    const end = Date.now() + timeout;
    for (;;) {
      const wait = Math.floor(Math.max(0, Math.min(WAIT, end - Date.now())));
      const { status, body } = await this.transport.call(
        'GET',
        `${this.path}/jobs${at(id)}/result`,
        {
          query: { timeout: wait },
          signal,
          timeout: wait + this.transport.timeout,
        },
      );
      if (status !== 202) return body as EndedJob;
      if (Date.now() >= end) {
        const { state } = body as EndedJob;
        throw new JobgateError(`Job ${id} is ${state} after ${timeout} ms`, 202);
      }
    }
  }

  /** The matching jobs of all pages. */
  search(options: SearchOptions & { view: 'summary' }): AsyncGenerator<JobSummary, void, undefined>;
  search(options?: SearchOptions): AsyncGenerator<Job, void, undefined>;
  async *search(options?: SearchOptions): AsyncGenerator<Job | JobSummary, void, undefined> {
    let cursor: string | null | undefined;
    do {
      const page: JobSearch | SummarySearch = await this.read('/jobs/search', {
        ...options,
        cursor,
      });
      yield* page.jobs;
      cursor = page.cursor;
    } while (cursor !== null);
  }

  events(options?: Omit<EventOptions, 'queues'>): AsyncGenerator<JobgateEvent, void, undefined> {
    return followEvents(this.transport, `${this.path}/events`, options);
  }

  pause(options?: CallOptions & { reason?: string }) {
    return this.send('/pause', options);
  }

  resume(options?: CallOptions) {
    return this.send('/resume', options);
  }

  hold(ms: number, options?: CallOptions & { reason?: string }) {
    return this.send<Held>('/hold', { ...options, for: ms });
  }

  endHold(options?: CallOptions) {
    return this.delete('/hold', options);
  }

  drain(options?: CallOptions & { delayed?: boolean }) {
    return this.send<Drained>('/drain', options);
  }

  /** Removes the queue and everything that belongs to it. */
  remove({ force, ...options }: CallOptions & { force?: boolean } = {}) {
    const query = { confirm: this.name, force };
    return this.ask<QueueRemoval>('DELETE', '', { ...options, query });
  }

  retry(what: BulkRepairInput, options?: CallOptions) {
    return this.send<RepairResult>('/retry', { ...what, ...options });
  }

  promote(what: BulkRepairInput, options?: CallOptions) {
    return this.send<RepairResult>('/promote', { ...what, ...options });
  }

  clean(what: BulkRepairInput, options?: CallOptions) {
    return this.send<RepairResult>('/clean', { ...what, ...options });
  }

  cancel(what: BulkRepairInput, options?: CallOptions) {
    return this.send<RepairResult>('/cancel', { ...what, ...options });
  }

  /** Brings letters of this dead letter queue back as the jobs that they were. */
  redrive(what: LetterRedriveInput, options?: CallOptions) {
    return this.send<RepairResult>('/redrive', { ...what, ...options });
  }

  /** Wakes the jobs that wait for a signal; its body, by default true, becomes the value of their steps. */
  signal(
    key: string,
    body?: unknown,
    { keep, idempotencyKey, ...options }: SignalOptions = {},
  ): Promise<SignalSent> {
    return this.once<SignalSent>(`/signals${at(key)}`, body, idempotencyKey, {
      ...options,
      query: { keep: keep && msOf(keep) },
    });
  }

  /** The signals that are kept, or that jobs wait for. */
  signals(options?: SignalsOptions) {
    return this.read<Signals>('/signals', options);
  }

  /** Forgets a kept signal. */
  forgetSignal(key: string, options?: CallOptions) {
    return this.delete(`/signals${at(key)}`, options);
  }

  /** A handle of a job. Creating it sends no request. */
  job(id: string): JobHandle {
    return new JobHandle(this.transport, this, id);
  }

  /** The method is not enumerable, so that the job stays plain data when it is copied or printed. */
  #withResult(job: Job): AddedJob {
    const value = (wait?: CallOptions): Promise<EndedJob> => this.result(job.id, wait);
    return Object.defineProperty(job, 'result', { value }) as AddedJob;
  }
}
