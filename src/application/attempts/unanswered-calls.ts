import type { AttemptEnding } from '../../domain/attempts/ending.ts';

/** After how many jobs in a row the log says what to do. */
const JOBS_IN_A_ROW = 10;

/**
 * Counts the jobs of one queue that fail for good in a row because nothing listens at its endpoint: without a breaker
 * all waiting jobs do so within seconds.
 */
export class UnansweredCalls {
  #jobs = 0;

  /** @returns whether this ending completes the row; the next row begins once a call is answered. */
  completeWith(ending: AttemptEnding): boolean {
    if (ending.kind === 'deferred') return false;
    const isUnanswered =
      'reason' in ending &&
      ending.call?.outcome === 'refused' &&
      ending.reason.startsWith('ECONNREFUSED');
    if (!isUnanswered) this.#jobs = 0;
    else if (ending.kind === 'failed') {
      this.#jobs += 1;
      return this.#jobs === JOBS_IN_A_ROW;
    }
    return false;
  }
}
