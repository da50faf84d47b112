import { allChildren } from './children.ts';
import { createContext, handlerOf, type Children, type Handler, type Handlers } from './context.ts';
import { Fail, JobgateError, messageOf, NotNow, Retry } from './errors.ts';
import { Reporter } from './reporter.ts';
import { errorOf, parsed, sleep, type Transport } from './transport.ts';
import type { Job } from './types.ts';
import { reasonOf } from './worker-answer.ts';

export type PullHandlers = Handler | Handlers;

export interface PullOptions {
  readonly concurrency?: number;
  /** Milliseconds that a job is held without an extension. */
  readonly lock?: number;
  /** Milliseconds that a claim waits for a job. */
  readonly wait?: number;
  /** Whether SIGTERM and SIGINT close the worker. */
  readonly signals?: boolean;
  readonly closeTimeout?: number;
}

interface Claimed {
  readonly job: Job;
  readonly token: string;
  readonly children?: Children;
}

interface Running {
  readonly reporter: Reporter;
  readonly ending: AbortController;
  isOver: boolean;
}

/** What the worker uses of a process, where there is one. */
interface Process {
  on(signal: 'SIGTERM' | 'SIGINT', listener: () => void): void;
  off(signal: 'SIGTERM' | 'SIGINT', listener: () => void): void;
}

/** A refused claim is tried again after so many milliseconds. */
const REFUSED_PAUSE = 10_000;

/** How long a job without a deadline of its own is held beyond its handler. */
const DEFERRED_FOR = 3_600_000;

/** Claims jobs of a queue, holds them while handlers run, and reports how they ended. */
export class PullWorker {
  /** Resolves when the worker is closed. */
  readonly closed: Promise<void>;
  readonly #transport: Transport;
  readonly #queue: string;
  readonly #handlers: Handlers;
  readonly #options: Required<PullOptions>;
  readonly #claiming = new AbortController();
  readonly #running = new Map<Running, Promise<void>>();
  readonly #loop: Promise<void>;
  #finish: () => void = () => undefined;
  #isClosing = false;
  #wasRefused = false;
  #freed: () => void = () => undefined;
  readonly #onSignal = (): void => {
    this.close().catch(() => undefined);
  };

  constructor(
    transport: Transport,
    queue: string,
    handlers: PullHandlers,
    {
      concurrency = 1,
      lock = 30_000,
      wait = 30_000,
      signals = true,
      closeTimeout = 25_000,
    }: PullOptions = {},
  ) {
    this.#transport = transport;
    this.#queue = queue;
    this.#handlers =
      typeof handlers === 'function' ? { handlers: {}, otherwise: handlers } : handlers;
    this.#options = { concurrency, lock, wait, signals, closeTimeout };
    this.closed = new Promise((resolve) => (this.#finish = resolve));
    if (signals)
      for (const name of ['SIGTERM', 'SIGINT'] as const) process()?.on(name, this.#onSignal);
    this.#loop = this.#claimUntilClosed();
  }

  /** Takes no further job, and lets those at hand end within `timeout` ms. */
  close({
    timeout = this.#options.closeTimeout,
  }: { readonly timeout?: number } = {}): Promise<void> {
    if (this.#isClosing) return this.closed;
    this.#isClosing = true;
    this.#claiming.abort();
    this.#drain(timeout).then(this.#finish, this.#finish);
    return this.closed;
  }

  async #drain(timeout: number): Promise<void> {
    const time = new AbortController();
    const idle = this.#loop.then(() => Promise.all(this.#running.values()));
    await Promise.race([idle, sleep(timeout, time.signal)]);
    time.abort();
    await Promise.all(
      [...this.#running.keys()].map(async (running) => {
        if (running.isOver) return;
        running.isOver = true;
        running.ending.abort(new Error('The worker is closing'));
        await running.reporter.outcome('release', {}).catch(() => undefined);
      }),
    );
    for (const name of ['SIGTERM', 'SIGINT'] as const) process()?.off(name, this.#onSignal);
  }

  async #claimUntilClosed(): Promise<void> {
    let failures = 0;
    const { signal } = this.#claiming;
    while (!signal.aborted) {
      const free = this.#options.concurrency - this.#running.size;
      if (free <= 0) {
        await new Promise<void>((resolve) => {
          this.#freed = resolve;
          signal.addEventListener('abort', () => resolve(), { once: true });
        });
        continue;
      }
      try {
        const claimed = await this.#claim(Math.min(free, 100));
        failures = 0;
        this.#wasRefused = false;
        if (this.#claiming.signal.aborted) await this.#giveBack(claimed);
        else for (const one of claimed) this.#start(one);
      } catch (error) {
        if (this.#claiming.signal.aborted) return;
        failures += 1;
        await sleep(this.#pauseAfter(error, failures), signal);
      }
    }
  }

  async #claim(count: number): Promise<readonly Claimed[]> {
    const { wait, lock } = this.#options;
    const path = `/queues/${encodeURIComponent(this.#queue)}/jobs/claim`;
    const ending = new AbortController();
    const giveUp = (): void => ending.abort();
    const timer = setTimeout(giveUp, wait + this.#transport.timeout);
    this.#claiming.signal.addEventListener('abort', giveUp);
    try {
      const body = { count, wait, lock };
      const response = await this.#transport.open('POST', path, { body }, ending.signal);
      // An answer that has begun may bring jobs, which must be given back.
      this.#claiming.signal.removeEventListener('abort', giveUp);
      const text = await response.text();
      if (!response.ok) throw errorOf(response.status, text);
      return parsed(text) as readonly Claimed[];
    } finally {
      clearTimeout(timer);
      this.#claiming.signal.removeEventListener('abort', giveUp);
    }
  }

  #pauseAfter(error: unknown, failures: number): number {
    const status = error instanceof JobgateError ? error.status : 0;
    if ([0, 429, 503].includes(status) || status >= 500) {
      return Math.random() * Math.min(10_000, 250 * 2 ** failures);
    }
    if (!this.#wasRefused) {
      console.error(`jobgate refuses claims of ${this.#queue}: ${status} ${messageOf(error)}`);
    }
    this.#wasRefused = true;
    return REFUSED_PAUSE;
  }

  async #giveBack(claimed: readonly Claimed[]): Promise<void> {
    await Promise.allSettled(
      claimed.map((one) => this.#reporterOf(one, () => undefined).outcome('release', {})),
    );
  }

  #reporterOf({ job, token }: Claimed, lost: (error: JobgateError) => void): Reporter {
    const { url } = this.#transport;
    return new Reporter({ url, queue: this.#queue, id: job.id, token }, lost, this.#transport.send);
  }

  #start(claimed: Claimed): void {
    const ending = new AbortController();
    const reporter = this.#reporterOf(claimed, (error) => ending.abort(error));
    const running: Running = { reporter, ending, isOver: false };
    const done = this.#work(claimed, running)
      .catch((error: unknown) => {
        console.error(`jobgate refused a report on ${claimed.job.id}: ${messageOf(error)}`);
      })
      .finally(() => {
        this.#running.delete(running);
        this.#freed();
      });
    this.#running.set(running, done);
  }

  async #work({ job, children }: Claimed, running: Running): Promise<void> {
    const { reporter, ending } = running;
    const { lock } = this.#options;
    let isExtending = false;
    const extension = setInterval(() => {
      if (ending.signal.aborted || isExtending) return;
      isExtending = true;
      reporter
        .send('POST', 'extend', { lock })
        .catch(() => undefined)
        .finally(() => (isExtending = false));
    }, lock / 3);
    let deferred: Promise<unknown> | undefined;
    let verb = 'complete';
    let body: unknown;
    try {
      const context = createContext({
        queue: this.#queue,
        attempt: (job.attemptsMade ?? 0) + 1,
        maxAttempts: Math.max(1, job.opts?.attempts ?? 1),
        deadline: null,
        signal: ending.signal,
        reporters: [reporter],
        children: async () =>
          children === undefined ? [] : allChildren(children, this.#transport, this.#queue, job.id),
        defer: (_deferred, deadline = DEFERRED_FOR) => {
          running.isOver = true;
          // A further extension by `lock` would shorten the deferral.
          clearInterval(extension);
          deferred = reporter.send('POST', 'extend', { lock: deadline }).catch(() => undefined);
        },
      });
      body = (await handlerOf(this.#handlers, job.name)(job, context)) ?? null;
      // A value that is no JSON fails the attempt, not the report.
      JSON.stringify(body);
    } catch (error) {
      [verb, body] = outcomeOf(error);
    } finally {
      clearInterval(extension);
    }
    await deferred;
    // A lost job is somebody else's by now.
    if (running.isOver || ending.signal.aborted) return;
    await this.#report(running, verb, body);
  }

  /** Reports an outcome, unless the worker has released the job meanwhile. */
  async #report(running: Running, verb: string, body: unknown): Promise<void> {
    await running.reporter.flush();
    if (running.isOver) return;
    running.isOver = true;
    await running.reporter.outcome(verb, body);
  }
}

/** The report that a thrown error becomes. */
function outcomeOf(error: unknown): [verb: string, body: unknown] {
  if (error instanceof NotNow) return ['release', { delay: error.after }];
  const reason = reasonOf(error);
  if (error instanceof Fail) return ['fail', { reason, retry: false }];
  const delay = error instanceof Retry ? error.after : undefined;
  return [
    'fail',
    { reason, ...(delay !== undefined && { delay: Math.ceil(delay / 1000) * 1000 }) },
  ];
}

function process(): Process | undefined {
  const { process: found } = globalThis as { process?: Partial<Process> };
  return typeof found?.on === 'function' ? (found as Process) : undefined;
}
