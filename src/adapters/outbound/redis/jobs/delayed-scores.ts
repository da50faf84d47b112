import { piecesOf } from '../../../../domain/values/pieces.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import { latestDelayed } from '../scripts/adds.ts';
import type { JobToStage } from './job-to-stage.ts';

/** How many scores a millisecond has, as in BullMQ's getDelayedScore. */
const SCORES_OF_MILLISECOND = 0x1000;

/** The most milliseconds that one run looks up: a few milliseconds of the store's time. */
const LOOKED_UP_PER_RUN = 500;

/**
 * Gives the delayed jobs of a large add or flow their scores, each behind those that are due in the same millisecond.
 * They may be those of an add at the same time; the ids then decide.
 */
export class DelayedScores {
  readonly #store: StoreCommands;
  readonly #timestamp: number;
  readonly #last = new Map<string, number>();

  constructor(store: StoreCommands, timestamp: number) {
    this.#store = store;
    this.#timestamp = timestamp;
  }

  /**
   * Looks up the scores that jobs of a queue have.
   *
   * @param key of its delayed jobs.
   * @throws DomainError `store-unavailable`.
   */
  async lookUp(queue: QueueName, key: string, jobs: readonly JobToStage[]): Promise<void> {
    const due = new Set<number>();
    for (const each of jobs) if (isDelayed(each)) due.add(this.dueAt(each));
    for (const some of piecesOf([...due], LOOKED_UP_PER_RUN)) {
      const scores = await this.#store.call(latestDelayed, { delayed: key }, {}, some);
      for (const [index, score] of scores.entries()) {
        if (score !== null) this.#last.set(`${queue}:${some[index]}`, Number(score));
      }
    }
  }

  /** When the job is due, in epoch milliseconds. */
  dueAt({ job }: JobToStage): number {
    return this.#timestamp + job.opts.delay;
  }

  /** The next score of a delayed job. */
  next(job: JobToStage): number {
    const due = this.dueAt(job);
    const millisecond = `${job.queue}:${due}`;
    const least = due * SCORES_OF_MILLISECOND;
    const last = this.#last.get(millisecond) ?? least - 1;
    const score = Math.max(least, Math.min(last + 1, least + SCORES_OF_MILLISECOND - 1));
    this.#last.set(millisecond, score);
    return score;
  }
}

/** Whether the job does not wait yet. A job that waits for children is delayed by these alone. */
export function isDelayed({ job, isParent }: JobToStage): boolean {
  return job.opts.delay > 0 && !isParent;
}
