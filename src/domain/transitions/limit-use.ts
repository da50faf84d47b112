import type { LimitUse } from '../limits/limit-use.ts';
import { nextStartAt } from '../queues/limiter.ts';
import { USUAL_COST } from '../queues/start-cost.ts';
import type { QueueState } from './queue-state.ts';
import type { SharedLimit } from './shared-limits.ts';
import { costOfNext } from './standing.ts';

/** How much of a limit is in use. @param queue the one whose calls are counted apart, and whose job is next. */
export function useOf(limit: SharedLimit, queue: QueueState | undefined, now: number): LimitUse {
  const { name, settings, running, starts } = limit;
  const { limiter } = settings;
  const cost = queue === undefined ? USUAL_COST : costOfNext(queue);
  const limitedUntil = limiter && nextStartAt(limiter, starts.earliest(limiter, cost), now);
  const own = queue && { name: queue.name, running: limit.runningOf(queue.name) };
  return {
    name,
    settings,
    running,
    ...(own && { queue: own }),
    started: limiter === undefined ? 0 : starts.counted(limiter, now).cost,
    ...(limitedUntil !== undefined && { limitedUntil }),
  };
}
