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
    const [minutes, failed] = await Promise.all([
      this.#minutesOf(queues, now),
      this.#figures.failedSince(firstHourOfDay(now), queues),
    ]);
    return this.#joined(minutes, failed, now);
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
    return this.#joined(await this.#minutesOf(counted, now), failed, now);
  }

  /** What the last hour by minutes tells of each of the queues. */
  async #minutesOf(
    queues: readonly QueueName[],
    now: number,
  ): Promise<Map<QueueName, FiguresOfQueue>> {
    const minutes = await this.#figures.recent(queues, 'minute', firstRecentMinute(now));
    const figures = queues.map((queue, index) => {
      const recent = recentFigures(minutes[index] ?? [], now);
      return [queue, { ...recent, failing: failingInHour(recent.ends) }] as const;
    });
    return new Map(figures);
  }

  /**
   * @param found what the last hour tells.
   * @param failed the queues with failed jobs within the last day.
   */
  async #joined(
    found: Map<QueueName, FiguresOfQueue>,
    failed: readonly QueueName[],
    now: number,
  ): Promise<FiguresByQueue> {
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
