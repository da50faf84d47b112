import type { ExpiredJobs, ExpiryPort } from '../../../../application/ports/expiry-port.ts';
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

/** Fails the jobs in the memory of this process that did not start in time, and forgets what limits no longer need. */
export function memoryExpiry(store: MemoryStore): ExpiryPort {
  const failedIn = async (queue: StoredQueue, most: number): Promise<readonly FailedJob[]> => {
    const failed: FailedJob[] = [];
    await new JobReading(queue).untilAtHand(() => {
      store.run((now) => {
        queue.staged.endBefore(now - MOST_STAGED_TIME);
        failed.push(...expire(queue, most - failed.length, now));
      });
    });
    return failed;
  };
  return {
    expireDue: async () => {
      const isRestForgotten = store.run((now) => store.limits.forgetRested(now));
      const expired: ExpiredJobs[] = [];
      let left = JOBS_PER_ROUND;
      for (const [queue, state] of store.all()) {
        const jobs = await failedIn(state, left);
        if (jobs.length > 0) expired.push({ queue, jobs });
        left -= jobs.length;
        if (left === 0) return { expired, isDone: false };
      }
      await makeHeldCalls(store);
      return { expired, isDone: isRestForgotten };
    },
  };
}
