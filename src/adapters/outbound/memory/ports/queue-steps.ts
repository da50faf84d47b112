import type { AttemptKey } from '../../../../domain/attempts/attempt.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type { MemoryStore } from '../state/memory-store.ts';
import type { StoredQueue } from '../state/stored-queue.ts';
import { JobReading } from './job-reading.ts';

type Step<Given extends readonly unknown[], Answer> = (
  queue: StoredQueue,
  now: number,
  ...given: Given
) => Answer;

type QueueMethod<Given extends readonly unknown[], Answer> = (
  queue: QueueName,
  ...given: Given
) => Promise<Answer>;

/** Methods of ports that run one step on the queue which their first argument names. What it throws is a rejection. */
export class QueueSteps {
  readonly #store: MemoryStore;

  constructor(store: MemoryStore) {
    this.#store = store;
  }

  /** The queue is there from then on. */
  on<Given extends readonly unknown[], Answer>(
    step: Step<Given, Answer>,
  ): QueueMethod<Given, Answer> {
    // eslint-disable-next-line @typescript-eslint/require-await -- see above
    return async (name, ...given) =>
      this.#store.step(name, (queue, now) => step(queue, now, ...given));
  }

  /** @param none the answer for a queue that does not exist, which is not changed. */
  onKnown<Given extends readonly unknown[], Answer>(
    step: Step<Given, Answer>,
    none: Answer,
  ): QueueMethod<Given, Answer> {
    // eslint-disable-next-line @typescript-eslint/require-await -- see above
    return async (name, ...given) =>
      this.#store.stepIfAny(name, (queue, now) => step(queue, now, ...given)) ?? none;
  }

  /** The same for a step that needs all of the job which the second argument names, by its id or its attempt. */
  onWhole<Named extends string | AttemptKey, Given extends readonly unknown[], Answer>(
    step: Step<readonly [Named, ...Given], Answer>,
    none: Answer,
  ): QueueMethod<readonly [Named, ...Given], Answer> {
    return async (name, named, ...given) => {
      const queue = this.#store.find(name);
      const jobId = typeof named === 'string' ? named : named.jobId;
      const run = (): Answer =>
        this.#store.stepIfAny(name, (found, now) => step(found, now, named, ...given)) ?? none;
      if (queue?.jobs.find(jobId)?.isWhole !== false) return run();
      return new JobReading(queue).withWhole(jobId, run);
    };
  }
}
