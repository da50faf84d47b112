import { NO_GROUP } from '../../groups/group-id.ts';
import { groupTerms, settingsInForce, type GroupDefaults } from '../../groups/group-settings.ts';
import { isShown, type GroupStanding } from '../../groups/group.ts';
import { startableAt, type IndexedJob } from '../../records/job-record.ts';
import type { QueueState } from '../queue-state.ts';
import { fullFlow } from '../shared-limits.ts';
import { endingCallsOf, groupBlocked } from './blocking.ts';
import { firstUngrouped, ungrouped } from './waiting.ts';

/** How many jobs each group has, by its id. */
export type GroupCounts = ReadonlyMap<string, number>;

const NO_COUNTS: GroupCounts = new Map();

/** How many of the delayed jobs that are due first each group has. @param most how many of them count. */
export function delayedOfGroups({ groups, jobs }: QueueState, most: number): GroupCounts {
  return groups.shared.isGrouped ? counted(jobs.in.delayed.fromFirst(most)) : NO_COUNTS;
}

/** The ids of the groups that `groupStandings` may show, in no order. @param delayed as `delayedOfGroups` has it. */
export function groupIds(queue: QueueState, delayed: GroupCounts): readonly string[] {
  const { groups } = queue;
  const ids = new Set([...activeOfGroups(queue).keys(), ...delayed.keys()]);
  if (groups.shared.isGrouped && ungrouped(queue) > 0) ids.add(NO_GROUP);
  for (const { id } of groups.all()) ids.add(id);
  return [...ids];
}

/**
 * Those of the groups that have jobs that have not ended, or settings, or are paused or held.
 *
 * @param delayed as `delayedOfGroups` has it.
 */
export function groupStandings(
  queue: QueueState,
  ids: readonly string[],
  delayed: GroupCounts,
  defaults: GroupDefaults | undefined,
  now: number,
): readonly GroupStanding[] {
  const active = activeOfGroups(queue);
  return ids
    .map((id) => {
      const counts = { active: active.get(id) ?? 0, delayed: delayed.get(id) ?? 0 };
      return groupStanding(queue, id, counts, defaults, now);
    })
    .filter(isShown);
}

function groupStanding(
  queue: QueueState,
  id: string,
  { active, delayed }: Pick<GroupStanding, 'active' | 'delayed'>,
  defaults: GroupDefaults | undefined,
  now: number,
): GroupStanding {
  const { groups } = queue;
  const group = groups.find(id);
  const jobs = group && groups.jobsOf(group);
  const waiting = id === NO_GROUP ? ungrouped(queue) : (jobs?.size ?? 0);
  const first = id === NO_GROUP ? firstUngrouped(queue.jobs) : jobs?.first();
  const settings = settingsInForce(group?.settings, now);
  const blocked =
    group !== undefined && waiting > 0
      ? (groupBlocked(queue, group, now, {
          terms: groupTerms(defaults, settings, now),
          running: active + endingCallsOf(queue, id, now).length,
        }) ?? fullFlow(queue, group, defaults, now))
      : undefined;
  const heldUntil = (group && groups.holds.timeOf(group)) ?? 0;
  return {
    id,
    waiting,
    active,
    delayed,
    waitingSince: first === undefined ? null : startableAt(first),
    share: groups.shareOf(id, now),
    paused: group?.isPaused ?? false,
    heldUntil: heldUntil > now ? heldUntil : null,
    ...(group?.pausedBy && { pause: group.pausedBy }),
    ...(heldUntil > now && group?.heldBy && { hold: group.heldBy }),
    blocked: blocked ?? null,
    settings: settings ?? null,
  };
}

function activeOfGroups({ groups, jobs }: QueueState): GroupCounts {
  return groups.shared.isGrouped ? counted(jobs.in.active.fromLast()) : NO_COUNTS;
}

function counted(jobs: readonly IndexedJob[]): GroupCounts {
  const counts = new Map<string, number>();
  for (const { group } of jobs) {
    const id = group?.id ?? NO_GROUP;
    counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return counts;
}
