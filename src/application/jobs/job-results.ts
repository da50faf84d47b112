import { checkShape } from '../../domain/check-shape.ts';
import { isStoreUnavailable } from '../../domain/errors.ts';
import { jobNotFound } from '../../domain/job-actions.ts';
import { isReservedJobId } from '../../domain/job-id.ts';
import { hasEnded, jobResult, resultTimeout, type JobResult } from '../../domain/job-result.ts';
import type { Job } from '../../domain/job.ts';
import type { QueueName } from '../../domain/queue-name.ts';
import type { ClockPort } from '../ports/clock-port.ts';
import type { JobEndingsPort, ToldEnding } from '../ports/job-endings-port.ts';
import type { QueuePort } from '../ports/queue-port.ts';

/** Milliseconds until a waiting call looks at the job the first time, should it not be told; each twice the last. */
const FIRST_LOOK = 1000;

/** How long a job that was there may be gone before what became of it is told, in milliseconds. */
const TELLING_TIME = 250;

/** Tells what jobs came to, and waits for it. */
export class JobResults {
  readonly #queues: QueuePort;
  readonly #endings: JobEndingsPort;
  readonly #clock: ClockPort;

  constructor(queues: QueuePort, endings: JobEndingsPort, clock: ClockPort) {
    this.#queues = queues;
    this.#endings = endings;
    this.#clock = clock;
  }

  /**
   * @param timeout most milliseconds to wait for the end of the job.
   * @param signal ends the wait early; what is known then is returned.
   * @throws DomainError `job-not-found`, or `invalid-request` for a timeout out of bounds.
   */
  async wait(
    queue: QueueName,
    jobId: string,
    timeout: number,
    signal: AbortSignal,
  ): Promise<JobResult> {
    checkShape(resultTimeout, timeout, 'timeout');
    const until = this.#clock.now() + timeout;
    let job = isReservedJobId(jobId) ? undefined : await this.#queues.find(queue, jobId);
    if (job === undefined) throw jobNotFound();
    if (hasEnded(job) || timeout === 0) return jobResult(job);
    const following = await this.#endings.follow(queue);
    const over = new AbortController();
    const end = (): void => {
      over.abort();
    };
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
    let told: ToldEnding | undefined;
    following.listen(jobId, (ending) => {
      told = ending;
      end();
    });
    const ending = (): ToldEnding | undefined => told;
    try {
      for (let pause = FIRST_LOOK; ; pause *= 2) {
        const now = await this.#look(queue, jobId, job);
        if (now === undefined) return await this.#gone(ending, over.signal);
        job = now;
        if (hasEnded(job)) return jobResult(job);
        // It went on, as after a retry by hand.
        const known = ending();
        if (known !== undefined) return known;
        const left = until - this.#clock.now();
        if (left <= 0 || over.signal.aborted) return jobResult(job);
        await this.#clock.sleep(Math.min(pause, left), over.signal);
      }
    } finally {
      following.end();
      signal.removeEventListener('abort', end);
    }
  }

  /** While the store is away the job counts as it was. */
  async #look(queue: QueueName, jobId: string, known: Job): Promise<Job | undefined> {
    try {
      return await this.#queues.find(queue, jobId);
    } catch (error) {
      if (isStoreUnavailable(error)) return known;
      throw error;
    }
  }

  /** A job that is not kept is told of, but for one that was removed before it ended. */
  async #gone(ending: () => ToldEnding | undefined, told: AbortSignal): Promise<JobResult> {
    if (ending() === undefined) await this.#clock.sleep(TELLING_TIME, told);
    const known = ending();
    if (known === undefined) throw jobNotFound();
    return known;
  }
}
