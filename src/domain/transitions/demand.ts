import { openBreaker } from '../attempts/breaker.ts';
import { heldAt } from '../attempts/gate.ts';
import type { GroupDefaults } from '../groups/group-settings.ts';
import type { DemandFacts } from '../queues/demand.ts';
import { startableAt, type IndexedJob } from '../records/job-record.ts';
import { CLAIMED_FOR } from '../workers/blocked.ts';
import { areGroupsLimited, behindLimits, type BehindLimits } from './groups/behind-limits.ts';
import type { QueueState } from './queue-state.ts';

const NOTHING_BEHIND: BehindLimits = { waiting: 0, due: 0, since: undefined };

/** What the demand of a queue follows from. @param defaults the settings in force for groups without their own. */
export function demandFacts(
  queue: QueueState,
  defaults: GroupDefaults | undefined,
  now: number,
): DemandFacts {
  const { record, jobs } = queue;
  const { active, waiting, prioritized, delayed } = jobs.in;
  const ends = [waiting.first(), waiting.last(), waiting.firstOf(0)];
  const areLimited = areGroupsLimited(queue, defaults);
  const behind = areLimited ? behindLimits(queue, defaults, now) : NOTHING_BEHIND;
  const since = [
    ...(areLimited ? ends.filter((job) => job?.group === undefined) : ends),
    ...endsOfPriorities(queue),
  ].flatMap((job) => (job === undefined ? [] : [startableAt(job)]));
  if (behind.since !== undefined) since.push(behind.since);
  const dueAt = delayed.first()?.position?.rank ?? Infinity;
  if (dueAt <= now) since.push(dueAt);
  const breaker = openBreaker(record.breaker, now);
  const { claimedAt } = record;
  return {
    now,
    active: active.size,
    waiting: waiting.size + prioritized.size,
    waitingBehindLimits: behind.waiting,
    due: delayed.countUpTo(now),
    dueBehindLimits: behind.due,
    ...(since.length > 0 && { startableSince: Math.min(...since) }),
    isPaused: record.isPaused,
    isHeld: heldAt(record.hold, now) !== undefined,
    ...(breaker !== undefined && {
      openSince: breaker.since,
      ...(claimedAt !== undefined && now - claimedAt < CLAIMED_FOR && { claimedAt }),
    }),
  };
}

/** The first of the highest priority, and of the lowest. */
function endsOfPriorities({ jobs }: QueueState): readonly (IndexedJob | undefined)[] {
  const { prioritized } = jobs.in;
  const lowest = prioritized.last()?.position?.rank;
  return [prioritized.first(), lowest === undefined ? undefined : prioritized.firstOf(lowest)];
}
