import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import { MIDDLE_NUMBER } from '../layout/group-keys.ts';
import type { JobToStage } from './job-to-stage.ts';

/** Gives the jobs of a large add or flow their places in their groups, in the form of groups/group-waiting. */
export class GroupOrders {
  readonly #given: Map<QueueName, number>;

  /** @param given the last place that each queue gave. */
  constructor(given: Map<QueueName, number>) {
    this.#given = given;
  }

  /** The next place, for a job that will wait in a group; empty for any other. */
  placeOf({ queue, job: { opts }, isParent }: JobToStage): string {
    if (opts.group === undefined || opts.delay > 0 || isParent) return '';
    const { priority = 0, lifo = false } = opts;
    const count = (this.#given.get(queue) ?? 0) + 1;
    this.#given.set(queue, count);
    const number = MIDDLE_NUMBER + (lifo && priority === 0 ? -count : count);
    const band = (priority > 0 ? '2' : '1') + String(priority).padStart(7, '0');
    return band + String(number).padStart(12, '0');
  }

  /** The last place that a queue gave; 0 without any. */
  last(queue: QueueName): number {
    return this.#given.get(queue) ?? 0;
  }
}
