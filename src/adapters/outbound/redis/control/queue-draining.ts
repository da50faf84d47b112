import type { ClockPort } from '../../../../application/ports/clock-port.ts';
import { inSteps } from '../../../../application/running/in-steps.ts';
import type { DrainOptions } from '../../../../domain/queues/drain-options.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import { GROUP_WAITING } from '../layout/group-keys.ts';
import type { QueueKeys } from '../layout/queue-keys.ts';
import { drainPlace } from '../scripts/families.ts';

/** How many jobs one run of the script looks at, which takes a few milliseconds. */
const JOBS_PER_RUN = 100;

/** Removes the jobs of a queue in pieces, so that no command holds the store for long. */
export class QueueDraining {
  readonly #store: StoreCommands;
  readonly #clock: ClockPort;

  constructor(store: StoreCommands, clock: ClockPort) {
    this.#store = store;
    this.#clock = clock;
  }

  drain(keys: QueueKeys, { delayed = false }: DrainOptions): Promise<number> {
    // Waiting jobs are in two lists if an older BullMQ paused the queue.
    const places = ['wait', 'paused', GROUP_WAITING, 'prioritized'];
    if (delayed) places.push('delayed');
    return inSteps(async (changed) => {
      let removed = 0;
      for (const place of places) removed += await this.#empty(keys, place, changed);
      return removed;
    });
  }

  /**
   * Removes the jobs of every state, active ones on request. A job that changes its state in the meantime goes to a
   * place that is emptied later: active jobs may end, and parents stop waiting when their children go. Callers have it
   * that the queue has changed before.
   */
  async empty(keys: QueueKeys, { active }: { readonly active: boolean }): Promise<number> {
    let removed = active ? await this.#empty(keys, 'active') : 0;
    removed += await this.#empty(keys, 'waiting-children');
    removed += await this.drain(keys, { delayed: true });
    removed += await this.#empty(keys, 'completed');
    return removed + (await this.#empty(keys, 'failed'));
  }

  /**
   * Ends even if jobs arrive as fast as they are removed: it looks at no more than twice as many as there were.
   *
   * @param changed is called once some are removed.
   */
  async #empty(
    keys: QueueKeys,
    place: string,
    changed: () => void = () => undefined,
  ): Promise<number> {
    let [removed, stayed, along] = [0, 0, 0];
    let most = JOBS_PER_RUN;
    for (let run = 0; removed + stayed < most; run += 1) {
      const terms = { place, passed: stayed, most: JOBS_PER_RUN, now: this.#clock.now() };
      const [gone, left, size, parents] = await this.#store.call(drainPlace, keys, terms);
      if (gone + left === 0) break;
      if (gone > 0) changed();
      if (run === 0) most = 2 * size;
      removed += gone;
      stayed += left;
      along += parents;
    }
    return removed + along;
  }
}
