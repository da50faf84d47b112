import { callsOf } from '../attempts/batch.ts';
import { openBreaker } from '../attempts/breaker.ts';
import { countedCalls } from '../attempts/gate.ts';
import { NO_GROUP } from '../groups/group-id.ts';
import { nextStartAt, type Limiter } from '../queues/limiter.ts';
import { CLAIMED_FOR, type QueueStanding } from '../workers/blocked.ts';
import { USUAL_COST } from '../queues/start-cost.ts';
import { costOf } from '../records/job-record.ts';
import { nextDueAt, runningTokens } from './claim.ts';
import { areGroupsBlocked, nextCost } from './groups/blocking.ts';
import { firstUngrouped } from './groups/waiting.ts';
import type { QueueState } from './queue-state.ts';

/** What decides whether a job of a queue starts now. @param hasBatches whether calls are counted instead of jobs. */
export function standingOf(
  queue: QueueState,
  { limiter, hasBatches = false }: { limiter?: Limiter | undefined; hasBatches?: boolean },
  now: number,
): QueueStanding {
  const { record, jobs, starts } = queue;
  const ending = countedCalls(record.endingCalls, now).size;
  const latestStart = jobs.in.active.last()?.processedOn;
  const limitedUntil =
    limiter && nextStartAt(limiter, starts.earliest(limiter, costOfNext(queue)), now);
  const nextDue = nextDueAt(queue);
  const breaker = openBreaker(record.breaker, now);
  const { claimedAt } = record;
  const isServed = claimedAt !== undefined && now - claimedAt < CLAIMED_FOR;
  return {
    now,
    running: hasBatches ? callsOf(runningTokens(queue)) : jobs.in.active.size + ending,
    ...(latestStart !== undefined && { latestStart }),
    ...(limitedUntil !== undefined && { limitedUntil }),
    ...(nextDue !== undefined && { nextDue }),
    ...(breaker !== undefined && { breaker }),
    ...(areGroupsBlocked(queue) && { areGroupsBlocked: true }),
    ...(isServed && { claimedAt }),
  };
}

/** What the start of the next job counts, of those that wait. */
export function costOfNext({ jobs, groups, record }: QueueState): number {
  if (record.hasCosts !== true) return USUAL_COST;
  const group = groups.ready.first();
  if (group !== undefined && group.id !== NO_GROUP) return nextCost(groups, group);
  return costOf(firstUngrouped(jobs) ?? {});
}
