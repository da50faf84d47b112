import { keptOrMade } from '../../domain/values/kept-or-made.ts';
import { causesLength, failuresAge } from '../../domain/figures/failures-window.ts';
import { beginOf } from '../../domain/figures/figure-steps.ts';
import {
  byFrequency,
  joinedFailures,
  type FailureGroup,
  failureGroupFields,
} from '../../domain/jobs/failures.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import { checkShape } from '../../domain/values/check-shape.ts';
import { object, required, type Shaped, string } from '../../domain/values/shape.ts';
import type { ClockPort } from '../ports/clock-port.ts';
import type { FiguresPort } from '../ports/figures-port.ts';
import { Shared } from '../running/shared.ts';

/** How long (ms) a report is reused: together with the write interval, it is never older than ten seconds. */
const SHOWN_FOR = 2000;

/** How many windows have their reports cached. */
const MOST_REPORTS = 10;

/** Why jobs of a queue failed. */
export const queueFailureShape = object('QueueFailure', {
  queue: required(string, 'The queue of the jobs'),
  ...failureGroupFields,
});

export type QueueFailure = Shaped<typeof queueFailureShape>;

/** Reports why jobs of all queues failed recently (platform contract, section 10). */
export class RecentFailures {
  readonly #store: FiguresPort;
  /** By window. */
  readonly #reports: Shared<readonly QueueFailure[], number>;

  constructor(store: FiguresPort, clock: ClockPort) {
    this.#store = store;
    const sharing = { freshFor: SHOWN_FOR, most: MOST_REPORTS };
    this.#reports = new Shared(clock, sharing, (now, window: number) =>
      this.#read(beginOf('minute', Math.max(0, now - window))),
    );
  }

  /**
   * The causes of the last `window` ms, rounded up to whole minutes, the most frequent one first. The answer is at most
   * ten seconds old unless a replica was killed.
   *
   * @param mayUse which queues the caller may see.
   * @throws DomainError `invalid-request` naming the field.
   */
  async report(
    window: number,
    length: number,
    mayUse: (queue: string) => boolean = () => true,
  ): Promise<readonly QueueFailure[]> {
    checkShape(failuresAge, window, 'window');
    checkShape(causesLength, length, 'length');
    const failures = await this.#reports.of(window);
    return failures.filter(({ queue }) => mayUse(queue)).slice(0, length);
  }

  /** Forgets what was read, since some of it was erased. */
  forget(): void {
    this.#reports.forget();
  }

  async #read(first: number): Promise<readonly QueueFailure[]> {
    const groups = new Map<QueueName, FailureGroup[]>();
    for (const { queue, failures } of await this.#store.failures(first)) {
      keptOrMade(groups, queue, () => []).push(...failures);
    }
    return [...groups]
      .flatMap(([queue, all]) => joinedFailures(all).map((group) => ({ queue, ...group })))
      .sort(byFrequency);
  }
}
