import {
  endsOf,
  failingInDay,
  failingInHour,
  firstHourOfDay,
  type Failing,
} from '../../domain/figures/failing.ts';
import {
  firstRecentMinute,
  recentFigures,
  type RecentFigures,
} from '../../domain/figures/queue-rates.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { FiguresPort } from '../ports/figures-port.ts';

/** What happened in a queue of late, and whether its jobs fail. */
export interface FiguresOfQueue extends RecentFigures {
  readonly failing: Failing | null;
}

export type FiguresByQueue = ReadonlyMap<QueueName, FiguresOfQueue>;

/** Those of a queue in which nothing happened. */
export const NO_FIGURES: FiguresOfQueue = { ...recentFigures([], 0), failing: null };

/** Reads what happened in queues of late: the last hour by minutes, and the last day where that is needed. */
export class RecentQueueFigures {
  readonly #figures: FiguresPort;

  constructor(figures: FiguresPort) {
    this.#figures = figures;
  }

  /**
   * Those of each of the queues.
   *
   * @throws DomainError `store-unavailable`.
   */
  async of(queues: readonly QueueName[], now: number): Promise<FiguresByQueue> {
    return this.#read(queues, queues, now);
  }

  /**
   * Those of all queues in which jobs were counted within the last hour, or failed within the last day.
   *
   * @throws DomainError `store-unavailable`.
   */
  async all(now: number): Promise<FiguresByQueue> {
    const [counted, failed] = await Promise.all([
      this.#figures.countedSince(firstRecentMinute(now)),
      this.#figures.failedSince(firstHourOfDay(now)),
    ]);
    return this.#read(counted, failed, now);
  }

  /**
   * @param counted the queues with counts within the last hour.
   * @param failed the queues with failed jobs within the last day.
   */
  async #read(
    counted: readonly QueueName[],
    failed: readonly QueueName[],
    now: number,
  ): Promise<FiguresByQueue> {
    const minutes = await this.#figures.recent(counted, 'minute', firstRecentMinute(now));
    const found = new Map<QueueName, FiguresOfQueue>();
    for (const [index, queue] of counted.entries()) {
      const recent = recentFigures(minutes[index] ?? [], now);
      found.set(queue, { ...recent, failing: failingInHour(recent.ends) });
    }
    // If a job completed within the hour, not all of the day failed.
    const unsure = failed.filter((queue) => {
      const { ends, failing } = found.get(queue) ?? NO_FIGURES;
      return ends.completed === 0 && failing === null;
    });
    const hours = await this.#figures.recent(unsure, 'hour', firstHourOfDay(now));
    for (const [index, queue] of unsure.entries()) {
      const failing = failingInDay(endsOf(hours[index] ?? []));
      found.set(queue, { ...(found.get(queue) ?? NO_FIGURES), failing });
    }
    return found;
  }
}
