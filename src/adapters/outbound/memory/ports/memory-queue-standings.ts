/* eslint-disable @typescript-eslint/require-await -- async turns what a step throws into a rejection */
import type {
  AwaitedJob,
  QueueStandingPort,
} from '../../../../application/ports/queue-standing-port.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import { noteClaim } from '../../../../domain/transitions/queue-control.ts';
import { standingOf } from '../../../../domain/transitions/standing.ts';
import type { StoredJob } from '../state/stored-job.ts';
import type { MemoryStore } from '../state/memory-store.ts';
import { mapInTurns } from './map-in-turns.ts';
import { QueueSteps } from './queue-steps.ts';

/** How many parents of a queue are examined when those with a failed child are counted. */
const MOST_PARENTS = 1000;

/** How many of the oldest parents of a queue, and how many jobs below them, are examined for a failed one. */
const OLDEST_PARENTS = 20;
const MOST_BELOW = 100;

/** The standings of the queues in the memory of this process. */
export function memoryQueueStandings(store: MemoryStore): QueueStandingPort {
  const steps = new QueueSteps(store);
  /** The jobs that wait for their children, the oldest first. */
  const parentsOf = (queue: QueueName, most: number): readonly StoredJob[] =>
    store.find(queue)?.jobs.in['waiting-children'].fromFirst(most) ?? [];
  /** @param room how many children to examine at most. */
  const awaitedBelow = (
    { children }: StoredJob,
    room: { left: number },
  ): AwaitedJob | undefined => {
    let unfinished: AwaitedJob | undefined;
    for (const { queue, id } of children?.awaited() ?? []) {
      if (room.left === 0) break;
      room.left -= 1;
      const child = store.find(queue)?.jobs.find(id);
      if (child?.status === 'failed') return { queue, id, isFailed: true };
      const below = child && awaitedBelow(child, room);
      if (below?.isFailed === true) return below;
      unfinished ??= below ?? { queue, id, isFailed: false };
    }
    return unfinished;
  };
  return {
    standings: (queries) =>
      mapInTurns(
        queries,
        (query) =>
          store.stepIfAny(query.queue, (queue, now) => standingOf(queue, query, now)) ?? {
            now: store.now(),
            running: 0,
          },
      ),
    stuckParents: async (queue) => {
      const isStuck = ({ children }: StoredJob): boolean =>
        [...(children?.awaited() ?? [])].some(
          (child) => store.find(child.queue)?.jobs.find(child.id)?.status === 'failed',
        );
      return parentsOf(queue, MOST_PARENTS).filter(isStuck).length;
    },
    failedChildren: (queues) =>
      mapInTurns(queues, (queue) => {
        const room = { left: MOST_BELOW };
        for (const parent of parentsOf(queue, OLDEST_PARENTS)) {
          const found = awaitedBelow(parent, room);
          if (found?.isFailed === true) return { queue: found.queue, id: found.id };
          if (room.left === 0) break;
        }
        return undefined;
      }),
    awaitedJob: async (queue, jobId) => {
      const parent = store.find(queue)?.jobs.find(jobId);
      return parent && awaitedBelow(parent, { left: MOST_BELOW });
    },
    noteClaim: steps.onKnown((queue, now) => noteClaim(queue, now), false),
  };
}
