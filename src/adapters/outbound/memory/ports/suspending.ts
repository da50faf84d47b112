import type { AttemptKey } from '../../../../domain/attempts/attempt.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type { SuspensionRequest } from '../../../../domain/steps/suspension-request.ts';
import { holdsJob } from '../../../../domain/transitions/holding.ts';
import {
  jobsOfSteps,
  madeByStep,
  type JobOfStep,
  type MadeRequest,
} from '../../../../domain/transitions/suspend.ts';
import type { MemoryStore } from '../state/memory-store.ts';
import { Adding } from './adding.ts';
import { JobReading } from './job-reading.ts';
import type { Steps } from './steps.ts';

/**
 * Suspends jobs in the memory of this process. What a suspension adds goes the way of other adds: the payloads of many
 * jobs are stored before the step that suspends the job (docs/adr/0042).
 */
export class Suspending {
  readonly #store: MemoryStore;
  readonly #adding: Adding;

  constructor(store: MemoryStore, steps: Steps) {
    this.#store = store;
    this.#adding = new Adding(store, steps);
  }

  /**
   * @param lost the answer to a large request once the attempt no longer holds its job.
   * @param suspend the step that suspends the job, of the request with the records that were made for it.
   * @throws DomainError `store-unavailable`, or whatever the step throws.
   */
  run<Answer>(
    queue: QueueName,
    attempt: AttemptKey,
    request: SuspensionRequest,
    lost: (now: number) => Answer,
    suspend: (request: MadeRequest) => Answer | Promise<Answer>,
  ): Promise<Answer> {
    const jobs = jobsOfSteps(request);
    const parent = { queue, id: attempt.jobId };
    return this.#adding.run<Answer>({
      jobs: jobs.map(({ job }) => job),
      besides: request.steps.reduce((sum, { value }) => sum + value.length, 0),
      queueOf: (position) => (jobs[position] as JobOfStep).queue,
      begin: (now) => {
        const found = this.#store.find(queue);
        return found !== undefined && holdsJob(found, attempt) ? undefined : lost(now);
      },
      make: (position, now) => madeByStep(jobs[position] as JobOfStep, parent, now),
      all: (_, staged) => suspend({ ...request, made: staged?.records }),
      onceAtHand: (step) => this.#onceAtHand(queue, attempt, request, step),
    });
  }

  /** The step needs all of the job, and the bodies of the kept signals that it finds. */
  async #onceAtHand<Answer>(
    name: QueueName,
    { jobId }: AttemptKey,
    { signals }: SuspensionRequest,
    step: () => Answer | Promise<Answer>,
  ): Promise<Answer> {
    const queue = this.#store.find(name);
    const keys = signals.flatMap(({ key }) => (queue?.signals.has(key) === true ? [key] : []));
    if (keys.length > 0) await queue?.signals.bodies.fetch(keys);
    if (queue?.jobs.find(jobId)?.isWhole !== false) return step();
    return new JobReading(queue).withWhole(jobId, step);
  }
}
