/* eslint-disable @typescript-eslint/require-await -- async turns what a step throws into a rejection */
import type {
  AwaitedJob,
  QueueStandingPort,
  StandingQuery,
} from '../../../../application/ports/queue-standing-port.ts';
import type { JobAddress } from '../../../../domain/flows/flow.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type { QueueStanding } from '../../../../domain/workers/blocked.ts';
import { noteClaim } from '../../../../domain/transitions/queue-control.ts';
import { standingOf } from '../../../../domain/transitions/standing.ts';
import type { StoredJob } from '../state/stored-job.ts';
import { mapInTurns } from './map-in-turns.ts';
import type { MemoryStore } from '../state/memory-store.ts';

/** How many parents of a queue are examined when those with a failed child are counted. */
const MOST_PARENTS = 1000;

/** How many of the oldest parents of a queue, and how many jobs below them, are examined for a failed one. */
const OLDEST_PARENTS = 20;
const MOST_BELOW = 100;

/** The standings of the queues in the memory of this process. */
export class MemoryQueueStandings implements QueueStandingPort {
  readonly #store: MemoryStore;

  constructor(store: MemoryStore) {
    this.#store = store;
  }

  async standings(queries: readonly StandingQuery[]): Promise<readonly QueueStanding[]> {
    return mapInTurns(
      queries,
      (query) =>
        this.#store.stepIfAny(query.queue, (queue, now) => standingOf(queue, query, now)) ?? {
          now: this.#store.now(),
          running: 0,
        },
    );
  }

  async stuckParents(queue: QueueName): Promise<number> {
    const parents = this.#parents(queue, MOST_PARENTS);
    const isStuck = ({ id }: StoredJob): boolean =>
      this.#store.childrenOf(queue, id).some((child) => {
        const job = this.#store.find(child.queue)?.jobs.find(child.id);
        return child.ending === undefined && job?.status === 'failed';
      });
    return parents.filter(isStuck).length;
  }

  async failedChildren(queues: readonly QueueName[]): Promise<readonly (JobAddress | undefined)[]> {
    return mapInTurns(queues, (queue) => {
      const room = { left: MOST_BELOW };
      const parents = this.#parents(queue, OLDEST_PARENTS);
      for (const parent of parents) {
        const found = this.#awaitedBelow(parent, room);
        if (found?.isFailed === true) return { queue: found.queue, id: found.id };
        if (room.left === 0) break;
      }
      return undefined;
    });
  }

  async awaitedJob(queue: QueueName, jobId: string): Promise<AwaitedJob | undefined> {
    const parent = this.#store.find(queue)?.jobs.find(jobId);
    return parent && this.#awaitedBelow(parent, { left: MOST_BELOW });
  }

  /** The jobs that wait for their children, the oldest first. */
  #parents(queue: QueueName, most: number): readonly StoredJob[] {
    return this.#store.find(queue)?.jobs.in['waiting-children'].fromFirst(most) ?? [];
  }

  /** @param room how many children to examine at most. */
  #awaitedBelow({ children }: StoredJob, room: { left: number }): AwaitedJob | undefined {
    let unfinished: AwaitedJob | undefined;
    for (const { queue, id } of children?.awaited() ?? []) {
      if (room.left === 0) break;
      room.left -= 1;
      const child = this.#store.find(queue)?.jobs.find(id);
      if (child?.status === 'failed') return { queue, id, isFailed: true };
      const below = child && this.#awaitedBelow(child, room);
      if (below?.isFailed === true) return below;
      unfinished ??= below ?? { queue, id, isFailed: false };
    }
    return unfinished;
  }

  async noteClaim(queue: QueueName): Promise<boolean> {
    return this.#store.stepIfAny(queue, (state, now) => noteClaim(state, now)) ?? false;
  }
}
