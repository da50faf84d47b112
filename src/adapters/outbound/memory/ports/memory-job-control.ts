/* eslint-disable @typescript-eslint/require-await -- async turns what a step throws into a rejection */
import type {
  JobCancellation,
  JobControlPort,
} from '../../../../application/ports/job-control-port.ts';
import type { ActionOutcome } from '../../../../domain/jobs/job-actions.ts';
import type { JobChange } from '../../../../domain/jobs/job-change.ts';
import type { JobRetry } from '../../../../domain/jobs/job-retry.ts';
import type { JobState } from '../../../../domain/jobs/job-status.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import {
  cancelJob,
  changeJob,
  promoteJob,
  removeActiveJob,
  removeJob,
  retryJob,
} from '../../../../domain/transitions/job-control.ts';
import type { MemoryStore } from '../state/memory-store.ts';
import type { StoredJob } from '../state/stored-job.ts';
import type { StoredQueue } from '../state/stored-queue.ts';
import { MOST_IN_SMALL, Steps } from './steps.ts';
import { JobReading } from './job-reading.ts';

const MISSING: ActionOutcome = { kind: 'missing' };

/** The operations on single jobs in the memory of this process. Never creates a queue. */
export class MemoryJobControl implements JobControlPort {
  readonly #store: MemoryStore;
  readonly #steps: Steps;

  constructor(store: MemoryStore, steps = new Steps()) {
    this.#store = store;
    this.#steps = steps;
  }

  /** Does nothing: the memory store finds every job at once. */
  async bringTogether(): Promise<void> {}

  /** One step, also for the jobs of a large family, which waits for its turn among large requests. */
  remove(name: QueueName, jobId: string): Promise<ActionOutcome> {
    const step = (): ActionOutcome => this.#remove(name, jobId);
    const isSmall = this.#below(name, jobId).length <= MOST_IN_SMALL.jobs;
    return isSmall ? this.#steps.small(step) : this.#steps.piece(step);
  }

  #remove(name: QueueName, jobId: string): ActionOutcome {
    const below = this.#below(name, jobId);
    if (below.some(([, { status }]) => status === 'active')) {
      return { kind: 'needed', by: 'attempt' };
    }
    return this.#store.run(() => {
      const outcome = this.#act(name, (queue, now) => removeJob(queue, jobId, now));
      if (outcome.kind !== 'done') return outcome;
      for (const [each, { id }] of below) {
        this.#act(each, (queue, now) => removeJob(queue, id, now));
      }
      return outcome;
    });
  }

  async removeAlone(
    name: QueueName,
    jobId: string,
    within?: readonly JobState[],
  ): Promise<ActionOutcome> {
    return this.#act(name, (queue, now) => removeJob(queue, jobId, now, within));
  }

  async removeActive(name: QueueName, jobId: string): Promise<ActionOutcome> {
    return this.#act(name, (queue, now) => removeActiveJob(queue, jobId, now));
  }

  async promote(name: QueueName, jobId: string): Promise<ActionOutcome> {
    return this.#act(name, (queue) => promoteJob(queue, jobId));
  }

  async retry(
    name: QueueName,
    jobId: string,
    retry: JobRetry,
    within?: readonly JobState[],
  ): Promise<ActionOutcome> {
    return this.#actOnWhole(name, jobId, (queue, now) =>
      retryJob(queue, jobId, retry, now, within),
    );
  }

  async cancel(
    name: QueueName,
    jobId: string,
    cancellation: JobCancellation,
    within?: readonly JobState[],
  ): Promise<ActionOutcome> {
    return this.#actOnWhole(name, jobId, (queue, now) =>
      cancelJob(queue, jobId, cancellation, now, within),
    );
  }

  async change(name: QueueName, jobId: string, change: JobChange): Promise<ActionOutcome> {
    return this.#actOnWhole(name, jobId, (queue, now) => changeJob(queue, jobId, change, now));
  }

  /** All jobs below a job that still exist, in any queue. */
  #below(name: QueueName, jobId: string): readonly (readonly [QueueName, StoredJob])[] {
    return this.#store.childrenOf(name, jobId).flatMap(({ queue, id }) => {
      const job = this.#store.find(queue)?.jobs.find(id);
      return job === undefined ? [] : [[queue, job] as const, ...this.#below(queue, id)];
    });
  }

  /** The same once all of the job is in memory. */
  async #actOnWhole(
    name: QueueName,
    jobId: string,
    act: (queue: StoredQueue, now: number) => ActionOutcome,
  ): Promise<ActionOutcome> {
    const queue = this.#store.find(name);
    if (queue === undefined) return MISSING;
    return new JobReading(queue).withWhole(jobId, () => this.#act(name, act));
  }

  #act(name: QueueName, act: (queue: StoredQueue, now: number) => ActionOutcome): ActionOutcome {
    return this.#store.stepIfAny(name, act) ?? MISSING;
  }
}
