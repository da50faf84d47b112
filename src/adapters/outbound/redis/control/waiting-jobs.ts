import { piecesOf } from '../../../../domain/values/pieces.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import type { QueueKeys } from '../layout/queue-keys.ts';
import { moveToHead } from '../scripts/families.ts';
import { JOBS_PER_STEP } from '../lua/reaches.ts';

/** The most jobs that one walk through a list looks for. */
const JOBS_PER_WALK = 2500;

/**
 * By how many jobs the pieces of a walk overlap: up to this many may be taken between two steps without one being
 * missed.
 */
const OVERLAP = 500;

interface Walk {
  readonly ids: Set<string>;
  readonly ended: Promise<void>;
}

/**
 * Moves waiting jobs to the head of their list, where jobs come in, so that a script finds each of them at once. The
 * store reaches a job in the middle of a list only by walking there: one walk, in short steps, serves all jobs
 * requested in the meantime. All other jobs keep their order, and each step leaves the list whole.
 */
export class WaitingJobs {
  readonly #store: StoreCommands;
  /** The walks that begin when the current one through the same queue has ended. */
  readonly #next = new Map<QueueName, Walk>();
  readonly #last = new Map<QueueName, Promise<void>>();

  constructor(store: StoreCommands) {
    this.#store = store;
  }

  /** @throws DomainError `store-unavailable`. */
  bringTogether(queue: QueueName, jobIds: readonly string[]): Promise<void> {
    const walk = this.#next.get(queue) ?? this.#begin(queue);
    for (const id of jobIds) walk.ids.add(id);
    return walk.ended;
  }

  #begin(queue: QueueName): Walk {
    const keys = this.#store.keysOf(queue);
    const ids = new Set<string>();
    const before = this.#last.get(queue) ?? Promise.resolve();
    const ended = before.then(async () => {
      this.#next.delete(queue);
      for (const some of piecesOf([...ids], JOBS_PER_WALK)) await this.#move(keys, some);
    });
    const walk = { ids, ended };
    this.#next.set(queue, walk);
    const last = ended
      .catch(() => undefined)
      .then(() => {
        if (this.#last.get(queue) === last) this.#last.delete(queue);
      });
    this.#last.set(queue, last);
    return walk;
  }

  /** Waiting jobs are in two lists if an older BullMQ paused the queue. */
  async #move({ wait, paused, prioritized }: QueueKeys, ids: readonly string[]): Promise<void> {
    let missing = ids;
    for (const list of [wait, paused]) {
      for (let skip = 0, goesOn = true; goesOn && missing.length > 0;) {
        const keys = { list, prioritized };
        const [seen, found] = await this.#store.call(moveToHead, keys, { skip }, missing);
        goesOn = seen === JOBS_PER_STEP;
        skip += seen - found.length - OVERLAP;
        const moved = new Set(found);
        missing = missing.filter((id) => !moved.has(id));
      }
    }
  }
}
