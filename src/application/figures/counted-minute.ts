import { FigureCounter, type Counted } from '../../domain/figures/figures.ts';
import { FailureGroups, type Failure } from '../../domain/jobs/failures.ts';

/**
 * How many causes of failure a minute records per queue. Failures of further causes are counted without their cause.
 */
const MOST_CAUSES = 20;

/** The counts of one minute, of a queue or of all queues together. */
export class CountedMinute {
  /** When it began, epoch ms. */
  readonly at: number;
  readonly counter = new FigureCounter();
  /** Whether some of it has not been written yet. */
  isNew = false;
  #failures = new FailureGroups(MOST_CAUSES);
  readonly #total: CountedMinute | undefined;

  /** @param total the same minute of all queues together, which also counts every event of this one. */
  constructor(at: number, total?: CountedMinute) {
    this.at = at;
    this.#total = total;
  }

  count(counted: Counted, jobs = 1): void {
    this.counter.count(counted, jobs);
    this.isNew = true;
    this.#total?.count(counted, jobs);
  }

  cost(more: number): void {
    this.counter.cost(more);
    this.isNew = true;
    this.#total?.cost(more);
  }

  waited(ms: number): void {
    this.counter.waited(ms);
    this.isNew = true;
    this.#total?.waited(ms);
  }

  called(ms: number, status: number | undefined): void {
    this.counter.called(ms, status);
    this.isNew = true;
    this.#total?.called(ms, status);
  }

  failed(failure: Failure): void {
    this.count('failed');
    this.#failures.add(failure);
  }

  get failures(): FailureGroups {
    return this.#failures;
  }

  /** Forgets why jobs failed, but not how many. */
  forgetReasons(): void {
    this.#failures = new FailureGroups(MOST_CAUSES);
  }
}
