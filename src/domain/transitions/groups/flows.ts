import type { BlockedGroup } from '../../groups/group.ts';
import { flowLimitIn, flowSettings, LONGEST_FLOW_REST } from '../../limits/flow-limit.ts';
import type { LimitSettings } from '../../limits/limit.ts';
import { LONGEST_REST, waitingIn } from '../../limits/turns.ts';
import { pushOf } from '../../messages/push.ts';
import type { GroupRecord } from '../../records/group-record.ts';
import { optionsOf } from '../../records/job-record.ts';
import type { QueueState } from '../queue-state.ts';
import { refusedBy, stopWaiting, type SharedLimit } from '../shared-limits.ts';
import { groupBlocked, nextCost } from './blocking.ts';

/** Why no job of a group starts in its turn. At the limit of its flow control key its queue waits, which is woken for it. */
export function turnBlocked(
  queue: QueueState,
  group: GroupRecord,
  now: number,
): BlockedGroup | undefined {
  const blocked = groupBlocked(queue, group, now);
  const limit = flowOf(queue, group, now);
  if (limit === undefined) return blocked;
  if (blocked !== undefined) {
    stopWaiting(queue, limit, now);
    return blocked;
  }
  const isAlone = waitingIn(limit.turns, queue.name, now).length === 0;
  const asked = { call: '', cost: nextCost(queue.groups, group) };
  const longest = isAlone ? LONGEST_FLOW_REST : LONGEST_REST;
  const refused = refusedBy(queue, [limit], asked, now, longest);
  return refused && { reason: 'limiter', until: refused.nextAt };
}

/** The limit of the key of a group, whose settings are kept from now on if they were not. */
function flowOf(queue: QueueState, group: GroupRecord, now: number): SharedLimit | undefined {
  const { groups, limits } = queue;
  const name = flowLimitIn(groups.shared.defaults, group.id);
  if (name === undefined) return undefined;
  const settings = limits.find(name)?.settings ?? settingsOfNext(queue, group);
  if (settings !== undefined) limits.bind(name, settings, now);
  return limits.find(name);
}

function settingsOfNext({ groups, jobs }: QueueState, group: GroupRecord): LimitSettings | undefined {
  const job = groups.jobsOf(group).first();
  if (job === undefined || !jobs.isAtHand(job)) return undefined;
  const { flowControl } = pushOf({ ...optionsOf(jobs.whole(job)) }) ?? {};
  return flowControl && flowSettings(flowControl);
}
