import type { DrainOptions } from '../../domain/drain-options.ts';
import { DomainError } from '../../domain/errors.ts';
import { holdsNoJob, type JobCounts } from '../../domain/job-status.ts';
import type { QueueName } from '../../domain/queue-name.ts';
import { DEFAULT_CONCURRENCY, type Limiter } from '../../domain/worker-options.ts';
import type { ClockPort } from '../ports/clock-port.ts';
import type { QueueControlPort } from '../ports/queue-control-port.ts';
import type { QueuePort } from '../ports/queue-port.ts';
import type { WorkerStorePort } from '../ports/worker-store-port.ts';

/** One queue at a glance. */
export interface QueueOverview {
  readonly name: QueueName;
  readonly paused: boolean;
  readonly counts: JobCounts;
  /** How long the oldest waiting or prioritized job could have started, in milliseconds. */
  readonly oldestWaiting: number | null;
  /** The URL of the worker's endpoint. */
  readonly worker: string | null;
  readonly concurrency: number | null;
  readonly limiter: Limiter | null;
  /** Until when (epoch ms) no job starts; nothing holds a queue so far. */
  readonly heldUntil: number | null;
  /** Queues have no policies so far. */
  readonly policy: null;
}

/** What those who run the service do with whole queues. */
export class Queues {
  readonly #control: QueueControlPort;
  readonly #queues: QueuePort;
  readonly #workers: WorkerStorePort;
  readonly #clock: ClockPort;

  constructor(
    control: QueueControlPort,
    queues: QueuePort,
    workers: WorkerStorePort,
    clock: ClockPort,
  ) {
    this.#control = control;
    this.#queues = queues;
    this.#workers = workers;
    this.#clock = clock;
  }

  /** @throws DomainError `queue-not-found` when it was never created, and has neither a job nor a worker. */
  async read(queue: QueueName): Promise<QueueOverview> {
    const [state, { counts, waitingSince }, worker] = await Promise.all([
      this.#control.state(queue),
      this.#queues.summary(queue),
      this.#workers.find(queue),
    ]);
    if (state === undefined && worker === undefined && holdsNoJob(counts)) {
      throw new DomainError('queue-not-found', 'Not found');
    }
    const age = waitingSince === undefined ? null : this.#clock.now() - waitingSince;
    return {
      name: queue,
      paused: state?.isPaused ?? false,
      counts,
      // The clock of the replica that added the job may be ahead of this one.
      oldestWaiting: age && Math.max(0, age),
      worker: worker?.endpoint.url ?? null,
      concurrency: worker === undefined ? null : (worker.opts?.concurrency ?? DEFAULT_CONCURRENCY),
      limiter: worker?.opts?.limiter ?? null,
      heldUntil: null,
      policy: null,
    };
  }

  /** Lets no job start until the queue is resumed; running calls go on. */
  async pause(queue: QueueName): Promise<void> {
    await this.#control.pause(queue);
  }

  async resume(queue: QueueName): Promise<void> {
    await this.#control.resume(queue);
  }

  /** Removes the jobs that wait. @returns how many. */
  drain(queue: QueueName, options: DrainOptions): Promise<number> {
    return this.#control.drain(queue, options);
  }
}
