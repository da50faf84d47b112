import { isStoreUnavailable } from '../../domain/errors.ts';
import { hasEnded } from '../../domain/jobs/job-result.ts';
import type { Job } from '../../domain/jobs/job.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { ClockPort } from '../ports/clock-port.ts';
import type { EndingNotice, EndingSubscription } from '../ports/job-endings-port.ts';
import type { QueuePort } from '../ports/queue-port.ts';

/** How long (ms) a wait without a notice lasts before it reads the job; each later pause is twice as long. */
const FIRST_PAUSE = 1000;

/** How long (ms) the notice of the end of a job may lag behind its removal. */
const NOTICE_TIME = 250;

/** The outcome of a wait for the end of a job. */
export type JobWaitOutcome =
  | { readonly kind: 'ended'; readonly job: Job }
  /** It ended, and has been removed or retried since. */
  | { readonly kind: 'reported'; readonly ending: EndingNotice }
  /** The job as it was last read; undefined if the store was away throughout. */
  | { readonly kind: 'unended'; readonly job: Job | undefined }
  /** It is gone, and no end was reported. */
  | { readonly kind: 'gone' };

/** How long to wait. */
export interface Patience {
  /** Epoch ms. */
  readonly until: number;
  /** Ends the wait early. */
  readonly signal: AbortSignal;
}

/**
 * A wait for the end of one job of a queue: for a notice, and by reading the job from time to time. The job need not be
 * known when the wait begins.
 */
export class JobWait {
  readonly #queue: QueueName;
  readonly #subscription: EndingSubscription;
  readonly #queues: QueuePort;
  readonly #clock: ClockPort;
  #notice: EndingNotice | undefined;

  constructor(
    queue: QueueName,
    subscription: EndingSubscription,
    queues: QueuePort,
    clock: ClockPort,
  ) {
    this.#queue = queue;
    this.#subscription = subscription;
    this.#queues = queues;
    this.#clock = clock;
  }

  end(): void {
    this.#subscription.end();
  }

  async outcome(jobId: string, { until, signal }: Patience): Promise<JobWaitOutcome> {
    const over = new AbortController();
    const stop = (): void => {
      over.abort();
    };
    signal.addEventListener('abort', stop);
    if (signal.aborted) stop();
    this.#subscription.listen(jobId, (ending) => {
      this.#notice = ending;
      stop();
    });
    try {
      return await this.#poll(jobId, until, over.signal);
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  /** Reads the job until it has ended or the wait is over. */
  async #poll(jobId: string, until: number, over: AbortSignal): Promise<JobWaitOutcome> {
    let job: Job | undefined;
    for (let pause = FIRST_PAUSE; ; pause *= 2) {
      const notice = this.#notice;
      const read = await this.#read(jobId);
      if (read === 'gone') return this.#gone(over);
      if (read !== 'unread') job = read;
      if (job !== undefined && hasEnded(job)) return { kind: 'ended', job };
      // The job ended and is running again, as after a manual retry.
      if (notice !== undefined) return { kind: 'reported', ending: notice };
      // It ended while it was being read.
      if (this.#notice !== undefined) continue;
      const left = until - this.#clock.now();
      if (left <= 0 || over.aborted) return { kind: 'unended', job };
      await this.#clock.sleep(Math.min(pause, left), over);
    }
  }

  /** `unread` while the store is away. */
  async #read(jobId: string): Promise<Job | 'gone' | 'unread'> {
    try {
      return (await this.#queues.find(this.#queue, jobId)) ?? 'gone';
    } catch (error) {
      if (isStoreUnavailable(error)) return 'unread';
      throw error;
    }
  }

  /** Treats a job that is not kept as ended, unless it was removed before its end. */
  async #gone(over: AbortSignal): Promise<JobWaitOutcome> {
    if (this.#notice === undefined) await this.#clock.sleep(NOTICE_TIME, over);
    return this.#notice === undefined
      ? { kind: 'gone' }
      : { kind: 'reported', ending: this.#notice };
  }
}
