import type {
  ExpiredJobs,
  ExpiryPort,
  ExpiryRound,
} from '../../../../application/ports/expiry-port.ts';
import { expire } from '../../../../domain/transitions/expire.ts';
import type { FailedJob } from '../../../../domain/jobs/failures.ts';
import type { MemoryStore } from '../state/memory-store.ts';
import type { StoredQueue } from '../state/stored-queue.ts';
import { makeHeldCalls } from './held-calls.ts';
import { JobReading } from './job-reading.ts';

/** The most jobs that one round fails. */
const JOBS_PER_ROUND = 1000;

/** How long (ms) an add may stay staged; after that, its process counts as ended. */
const MOST_STAGED_TIME = 60_000;

/** Fails the jobs in the memory of this process that did not start in time. */
export class MemoryExpiry implements ExpiryPort {
  readonly #store: MemoryStore;

  constructor(store: MemoryStore) {
    this.#store = store;
  }

  async expireDue(): Promise<ExpiryRound> {
    const expired: ExpiredJobs[] = [];
    let left = JOBS_PER_ROUND;
    for (const [queue, state] of this.#store.all()) {
      const failed = await this.#expired(state, left);
      if (failed.length > 0) expired.push({ queue, jobs: failed });
      left -= failed.length;
      if (left === 0) return { expired, isDone: false };
    }
    await makeHeldCalls(this.#store);
    return { expired, isDone: true };
  }

  async #expired(queue: StoredQueue, most: number): Promise<readonly FailedJob[]> {
    const failed: FailedJob[] = [];
    await new JobReading(queue).untilAtHand(() => {
      this.#store.run((now) => {
        queue.staged.endBefore(now - MOST_STAGED_TIME);
        failed.push(...expire(queue, most - failed.length, now));
      });
    });
    return failed;
  }
}
