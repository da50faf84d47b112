import { FigureCounter, type Counted } from '../../domain/figures/figures.ts';
import { FailureGroups, type Failure } from '../../domain/jobs/failures.ts';

/** Most causes of failures of a queue that a minute holds. Failures of further ones are counted without their cause. */
const MOST_CAUSES = 20;

/** What was counted in one minute, of a queue or of all queues together. */
export class CountedMinute {
  /** When it began, epoch ms. */
  readonly at: number;
  readonly counter = new FigureCounter();
  readonly failures = new FailureGroups(MOST_CAUSES);
  /** Whether some of it is not written yet. */
  isNew = false;
  readonly #total: CountedMinute | undefined;

  /** @param total the same minute of all queues together, which counts all that this one does. */
  constructor(at: number, total?: CountedMinute) {
    this.at = at;
    this.#total = total;
  }

  count(counted: Counted, jobs = 1): void {
    this.counter.count(counted, jobs);
    this.isNew = true;
    this.#total?.count(counted, jobs);
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
    this.failures.add(failure);
  }
}
