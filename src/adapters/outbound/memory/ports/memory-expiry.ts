/* eslint-disable @typescript-eslint/require-await -- async turns what a step throws into a rejection */
import type {
  ExpiredJobs,
  ExpiryPort,
  ExpiryRound,
} from '../../../../application/ports/expiry-port.ts';
import { expire } from '../../../../domain/transitions/expire.ts';
import type { MemoryStore } from '../state/memory-store.ts';

/** The most jobs that one round fails. */
const JOBS_PER_ROUND = 1000;

/** How long (ms) an add may be staged: whoever stages one for longer is gone. */
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
      const failed = this.#store.run((now) => {
        state.staged.endBefore(now - MOST_STAGED_TIME);
        return expire(state, left, now);
      });
      if (failed.length > 0) expired.push({ queue, jobs: failed });
      left -= failed.length;
      if (left === 0) return { expired, isDone: false };
    }
    return { expired, isDone: true };
  }
}
