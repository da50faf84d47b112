import type { FailedByClaim, FailedByClaims } from '../../../../domain/transitions/queue-state.ts';

/** The jobs that claims failed, and that no sweep has seen yet. */
export class FailedJobs implements FailedByClaims {
  readonly #jobs: FailedByClaim[] = [];
  readonly #changed: () => void;

  constructor(changed: () => void) {
    this.#changed = changed;
  }

  get record(): readonly FailedByClaim[] {
    return [...this.#jobs];
  }

  restore(jobs: readonly FailedByClaim[]): void {
    this.#jobs.splice(0, Infinity, ...jobs);
  }

  add(job: FailedByClaim): void {
    this.#jobs.push(job);
    this.#changed();
  }

  take(most: number): readonly FailedByClaim[] {
    if (this.#jobs.length > 0) this.#changed();
    return this.#jobs.splice(0, most);
  }
}
