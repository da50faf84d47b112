import { isStoreUnavailable } from '../../domain/errors.ts';
import { hasEnded } from '../../domain/job-result.ts';
import type { Job } from '../../domain/job.ts';
import type { QueueName } from '../../domain/queue-name.ts';
import type { ClockPort } from '../ports/clock-port.ts';
import type { Following, JobEndingsPort, ToldEnding } from '../ports/job-endings-port.ts';
import type { QueuePort } from '../ports/queue-port.ts';

/** Milliseconds until a waiting call looks at the job the first time, should it not be told; each twice the last. */
const FIRST_LOOK = 1000;

/** How long a job that was there may be gone before what became of it is told, in milliseconds. */
const TELLING_TIME = 250;

/** What a wait for the end of a job came to. */
export type JobWaitOutcome =
  | { readonly kind: 'ended'; readonly job: Job }
  /** It has ended, and was removed or went on since. */
  | { readonly kind: 'told'; readonly ending: ToldEnding }
  /** The job as it was seen last, if the store was there to look at it. */
  | { readonly kind: 'unended'; readonly job: Job | undefined }
  /** It is gone, and nobody told that it ended. */
  | { readonly kind: 'gone' };

/** How long to wait. */
export interface Patience {
  /** Epoch ms. */
  readonly until: number;
  /** Ends the wait early. */
  readonly signal: AbortSignal;
}

/** Waits for the ends of jobs, which it is told of or sees. */
export class JobWaits {
  readonly #queues: QueuePort;
  readonly #endings: JobEndingsPort;
  readonly #clock: ClockPort;

  constructor(queues: QueuePort, endings: JobEndingsPort, clock: ClockPort) {
    this.#queues = queues;
    this.#endings = endings;
    this.#clock = clock;
  }

  /**
   * Misses no end from the moment that this resolves. Whoever begins a wait ends it.
   *
   * @throws DomainError `store-unavailable`.
   */
  async begin(queue: QueueName): Promise<JobWait> {
    return new JobWait(queue, await this.#endings.follow(queue), this.#queues, this.#clock);
  }
}

/** A wait for the end of one job of a queue, which need not be known when it begins. */
export class JobWait {
  readonly #queue: QueueName;
  readonly #following: Following;
  readonly #queues: QueuePort;
  readonly #clock: ClockPort;
  #told: ToldEnding | undefined;

  constructor(queue: QueueName, following: Following, queues: QueuePort, clock: ClockPort) {
    this.#queue = queue;
    this.#following = following;
    this.#queues = queues;
    this.#clock = clock;
  }

  end(): void {
    this.#following.end();
  }

  async outcome(jobId: string, { until, signal }: Patience): Promise<JobWaitOutcome> {
    const over = new AbortController();
    const stop = (): void => {
      over.abort();
    };
    signal.addEventListener('abort', stop);
    if (signal.aborted) stop();
    this.#following.listen(jobId, (ending) => {
      this.#told = ending;
      stop();
    });
    try {
      return await this.#look(jobId, until, over.signal);
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  /** Looks at the job until it has ended, or nothing more is waited for. */
  async #look(jobId: string, until: number, over: AbortSignal): Promise<JobWaitOutcome> {
    let job: Job | undefined;
    for (let pause = FIRST_LOOK; ; pause *= 2) {
      const seen = await this.#seen(jobId);
      if (seen === 'gone') return this.#gone(over);
      if (seen !== 'unseen') job = seen;
      if (job !== undefined && hasEnded(job)) return { kind: 'ended', job };
      // It went on, as after a retry by hand.
      if (this.#told !== undefined) return { kind: 'told', ending: this.#told };
      const left = until - this.#clock.now();
      if (left <= 0 || over.aborted) return { kind: 'unended', job };
      await this.#clock.sleep(Math.min(pause, left), over);
    }
  }

  /** While the store is away nothing is seen. */
  async #seen(jobId: string): Promise<Job | 'gone' | 'unseen'> {
    try {
      return (await this.#queues.find(this.#queue, jobId)) ?? 'gone';
    } catch (error) {
      if (isStoreUnavailable(error)) return 'unseen';
      throw error;
    }
  }

  /** A job that is not kept is told of, but for one that was removed before it ended. */
  async #gone(over: AbortSignal): Promise<JobWaitOutcome> {
    if (this.#told === undefined) await this.#clock.sleep(TELLING_TIME, over);
    return this.#told === undefined ? { kind: 'gone' } : { kind: 'told', ending: this.#told };
  }
}
