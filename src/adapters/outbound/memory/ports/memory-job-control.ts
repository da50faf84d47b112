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
import type { MemoryStore } from '../state/memory-store.ts';

const MISSING: ActionOutcome = { kind: 'missing' };

/** The operations on single jobs in the memory of this process. Never creates a queue. */
export class MemoryJobControl implements JobControlPort {
  readonly #store: MemoryStore;

  constructor(store: MemoryStore) {
    this.#store = store;
  }

  /** Does nothing: the memory store finds every job at once. */
  async bringTogether(): Promise<void> {}

  async remove(queue: QueueName, jobId: string): Promise<ActionOutcome> {
    const jobs = this.#store.find(queue);
    if (jobs === undefined) return MISSING;
    const below = this.#store.below(queue, jobId);
    if (below.some(([, { status }]) => status === 'active')) {
      return { kind: 'needed', by: 'attempt' };
    }
    const outcome = jobs.remove(jobId);
    if (outcome.kind === 'done') {
      for (const [name, { id }] of below) this.#store.find(name)?.remove(id);
    }
    return outcome;
  }

  async removeAlone(
    queue: QueueName,
    jobId: string,
    within?: readonly JobState[],
  ): Promise<ActionOutcome> {
    return this.#store.find(queue)?.remove(jobId, within) ?? MISSING;
  }

  async promote(queue: QueueName, jobId: string): Promise<ActionOutcome> {
    return this.#store.find(queue)?.promote(jobId) ?? MISSING;
  }

  async retry(
    queue: QueueName,
    jobId: string,
    retry: JobRetry,
    within?: readonly JobState[],
  ): Promise<ActionOutcome> {
    const jobs = this.#store.find(queue);
    if (jobs === undefined) return MISSING;
    return jobs.withStored(jobId, () => jobs.retry(jobId, retry, within));
  }

  async cancel(
    queue: QueueName,
    jobId: string,
    cancellation: JobCancellation,
    within?: readonly JobState[],
  ): Promise<ActionOutcome> {
    return this.#store.find(queue)?.cancel(jobId, cancellation, within) ?? MISSING;
  }

  async change(queue: QueueName, jobId: string, change: JobChange): Promise<ActionOutcome> {
    return this.#store.find(queue)?.change(jobId, change) ?? MISSING;
  }
}
