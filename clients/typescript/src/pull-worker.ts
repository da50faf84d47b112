import { allChildren } from './children.ts';
import { createContext, handlerOf, type Handler, type Handlers } from './context.ts';
import { Fail, JobgateError, messageOf, NotNow, Retry } from './errors.ts';
import { Reporter } from './reporter.ts';
import { at } from './routes.ts';
import { Steps, Suspension } from './steps.ts';
import { errorOf, jitter, parsed, sleep, type Transport } from './transport.ts';
import { attemptOf, maxAttemptsOf, type CallItem } from './webhook-call.ts';
import { reasonOf } from './worker-answer.ts';

export type PullHandlers = Handler | Handlers;

export interface PullOptions {
  readonly concurrency?: number;
  /** How long (ms) a job is held without an extension. */
  readonly lock?: number;
  /** How long (ms) a claim waits for a job. */
  readonly wait?: number;
  /** Whether SIGTERM and SIGINT close the worker. */
  readonly signals?: boolean;
  readonly closeTimeout?: number;
}

interface Running {
  readonly reporter: Reporter;
  readonly ending: AbortController;
  /** No further reports: the outcome is being sent, or the job is deferred or released. */
  isOver: boolean;
}

/** The part of a Node.js process that the worker uses, if there is one. */
interface Process {
  on(signal: string, listener: () => void): void;
  off(signal: string, listener: () => void): void;
}

const SIGNALS = ['SIGTERM', 'SIGINT'];

/** How many jobs the service returns per claim at most. */
const MOST_CLAIMED = 100;

/** How long (ms) to wait before a refused claim is repeated. */
const REFUSED_PAUSE = 10_000;

/** How long (ms) a deferred job without a deadline of its own is held. */
const DEFERRED_FOR = 3_600_000;

/** How long (ms) the worker may take to release the remaining jobs when it closes. */
const LAST_REPORTS = 5000;

/** Claims jobs of a queue, holds them while handlers run, and reports how they ended. */
export class PullWorker {
  /** Resolves when the worker is closed. */
  readonly closed: Promise<void>;
  readonly #transport: Transport;
  readonly #queue: string;
  readonly #handlers: Handlers;
  readonly #concurrency: number;
  readonly #lock: number;
  readonly #wait: number;
  #closeTimeout: number;
  readonly #closing = new AbortController();
  readonly #running = new Map<Running, Promise<void>>();
  #wasRefused = false;
  #freed: () => void = () => undefined;
  readonly #onSignal = (): void => void this.close();

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
    this.#concurrency = concurrency;
    this.#lock = lock;
    this.#wait = wait;
    this.#closeTimeout = closeTimeout;
    if (signals) for (const name of SIGNALS) process()?.on?.(name, this.#onSignal);
    this.closed = this.#work();
  }

  /** Takes no further jobs, and gives running ones `timeout` ms to finish. */
  close({ timeout }: { readonly timeout?: number } = {}): Promise<void> {
    // The timeout of the first call applies.
    if (!this.#closing.signal.aborted) this.#closeTimeout = timeout ?? this.#closeTimeout;
    this.#closing.abort();
    this.#freed();
    return this.closed;
  }

  async #work(): Promise<void> {
    await this.#claimUntilClosed();
    await within(this.#closeTimeout, Promise.all(this.#running.values()));
    const reports = [...this.#running].map(async ([running, done]) => {
      if (running.isOver) return done;
      running.isOver = true;
      running.ending.abort(new Error('The worker is closing'));
      return running.reporter.outcome('release', {});
    });
    await within(LAST_REPORTS, Promise.allSettled(reports));
    for (const name of SIGNALS) process()?.off?.(name, this.#onSignal);
  }

  async #claimUntilClosed(): Promise<void> {
    let failures = 0;
    const { signal } = this.#closing;
    while (!signal.aborted) {
      const free = this.#concurrency - this.#running.size;
      try {
        if (free > 0) for (const one of await this.#claim(free)) this.#start(one);
        else await new Promise<void>((resolve) => (this.#freed = resolve));
        failures = 0;
      } catch (error) {
        failures += 1;
        await sleep(this.#pauseAfter(error, failures), signal);
      }
    }
  }

  async #claim(free: number): Promise<readonly CallItem[]> {
    const closing = this.#closing.signal;
    const ending = new AbortController();
    const giveUp = (): void => ending.abort();
    const timer = setTimeout(giveUp, this.#wait + this.#transport.timeout);
    closing.addEventListener('abort', giveUp);
    try {
      const response = await this.#transport.open(
        'POST',
        `/queues${at(this.#queue)}/jobs/claim`,
        { body: { count: Math.min(free, MOST_CLAIMED), wait: this.#wait, lock: this.#lock } },
        ending.signal,
      );
      // Once an answer has begun, it may contain jobs, so it must be read to the end.
      closing.removeEventListener('abort', giveUp);
      const text = await response.text();
      if (!response.ok) throw errorOf(response.status, text);
      this.#wasRefused = false;
      return parsed(text) as readonly CallItem[];
    } finally {
      clearTimeout(timer);
      closing.removeEventListener('abort', giveUp);
    }
  }

  #pauseAfter(error: unknown, failures: number): number {
    const status = error instanceof JobgateError ? error.status : 0;
    if (status === 0 || status === 429 || status >= 500) return jitter(failures);
    if (!this.#wasRefused) {
      console.error(`jobgate refuses claims of ${this.#queue}: ${status} ${messageOf(error)}`);
    }
    this.#wasRefused = true;
    return REFUSED_PAUSE;
  }

  #start(claimed: CallItem): void {
    const { id } = claimed.job;
    const address = { url: this.#transport.url, queue: this.#queue, id, token: claimed.token };
    const ending = new AbortController();
    const reporter = new Reporter(address, (error) => ending.abort(error), this.#transport.fetch);
    // A job that is claimed while the worker is closing is released.
    const running: Running = { reporter, ending, isOver: this.#closing.signal.aborted };
    const done = (running.isOver ? reporter.outcome('release', {}) : this.#run(claimed, running))
      .catch((error: unknown) => {
        console.error(`jobgate refused a report on ${id}: ${messageOf(error)}`);
      })
      .finally(() => {
        this.#running.delete(running);
        this.#freed();
      });
    this.#running.set(running, done);
  }

  async #run({ job, children, steps: saved = {} }: CallItem, running: Running): Promise<void> {
    const { reporter, ending } = running;
    let isExtending = false;
    const extend = (ms: number): Promise<unknown> =>
      reporter
        .send('extend', { lock: ms })
        .catch(() => undefined)
        .finally(() => (isExtending = false));
    const extension = setInterval(() => {
      if (ending.signal.aborted || isExtending) return;
      isExtending = true;
      void extend(this.#lock);
    }, this.#lock / 3);
    let deferred: Promise<unknown> | undefined;
    let isSuspended = false;
    let outcome: Outcome;
    try {
      const context = createContext({
        queue: this.#queue,
        attempt: attemptOf(job),
        maxAttempts: maxAttemptsOf(job),
        deadline: null,
        signal: ending.signal,
        reporters: [reporter],
        children: async () =>
          children ? allChildren(children, this.#transport, this.#queue, job.id) : [],
        defer: (deadline = DEFERRED_FOR) => {
          running.isOver = true;
          // Another extension by `lock` would shorten the deferral.
          clearInterval(extension);
          deferred = extend(deadline);
        },
      });
      const steps = new Steps(reporter, () => Promise.resolve(new Map(Object.entries(saved))));
      const handled = handlerOf(this.#handlers, job.name)(job, { ...context, steps });
      const value = (await Promise.race([handled, steps.suspended])) ?? null;
      // A value that is not JSON fails the attempt, not the report.
      JSON.stringify(value);
      isSuspended = value instanceof Suspension;
      outcome = value instanceof Suspension ? ['suspend', value.answer] : ['complete', value];
    } catch (error) {
      outcome = outcomeOf(error);
    } finally {
      clearInterval(extension);
    }
    await deferred;
    await reporter.flush();
    // After a lost lock, the job belongs to another worker.
    if (ending.signal.aborted) return;
    // A handler that deferred may still wait for steps.
    if (running.isOver && !(isSuspended && deferred)) return;
    running.isOver = true;
    await reporter.outcome(...outcome);
  }
}

type Outcome = [verb: string, body: unknown];

/** The report for a thrown error. */
function outcomeOf(error: unknown): Outcome {
  if (error instanceof NotNow) return ['release', { delay: Math.ceil(error.after) }];
  const reason = reasonOf(error);
  if (error instanceof Fail) return ['fail', { reason, retry: false }];
  const after = error instanceof Retry ? error.after : undefined;
  return ['fail', { reason, delay: after && Math.ceil(after / 1000) * 1000 }];
}

/** Waits for the work to end, for this many milliseconds at most. */
async function within(ms: number, work: Promise<unknown>): Promise<void> {
  const time = new AbortController();
  await Promise.race([work, sleep(ms, time.signal)]);
  time.abort();
}

function process(): Partial<Process> | undefined {
  return (globalThis as { process?: Partial<Process> }).process;
}
