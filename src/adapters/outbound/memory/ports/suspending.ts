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
    name: QueueName,
    attempt: AttemptKey,
    request: SuspensionRequest,
    lost: () => Answer,
    suspend: (request: MadeRequest) => Answer | Promise<Answer>,
  ): Promise<Answer> {
    const jobs = jobsOfSteps(request);
    const jobAt = (position: number): JobOfStep => jobs[position] as JobOfStep;
    const parent = { queue: name, id: attempt.jobId };
    return this.#adding.run<Answer>({
      jobs: jobs.map(({ job }) => job),
      besides: request.steps.reduce((sum, { value }) => sum + value.length, 0),
      queueOf: (position) => jobAt(position).queue,
      begin: () => {
        const queue = this.#store.find(name);
        return queue && holdsJob(queue, attempt) ? undefined : lost();
      },
      make: (position, now) => madeByStep(jobAt(position), parent, now),
      all: (_, staged) => suspend({ ...request, made: staged?.records }),
      /** The step needs all of the job, and the bodies of the kept signals that it finds. */
      onceAtHand: async (step) => {
        const queue = this.#store.find(name);
        const kept = request.signals.filter(({ key }) => queue?.signals.has(key) === true);
        if (kept.length > 0) await queue?.signals.bodies.fetch(kept.map(({ key }) => key));
        if (queue?.jobs.find(attempt.jobId)?.isWhole !== false) return step();
        return new JobReading(queue).withWhole(attempt.jobId, step);
      },
    });
  }
}
