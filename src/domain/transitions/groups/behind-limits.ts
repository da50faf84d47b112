import { groupRoom, type GroupRoom } from '../../attempts/turns.ts';
import { NO_GROUP } from '../../groups/group-id.ts';
import { groupTerms, settingsInForce, type GroupDefaults } from '../../groups/group-settings.ts';
import type { GroupRecord } from '../../records/group-record.ts';
import { startableAt } from '../../records/job-record.ts';
import type { QueueState } from '../queue-state.ts';
import { endingCallsOf, groupGate, nextCost, runningByGroup, type Running } from './blocking.ts';

/** How many groups one look at the demand of a queue examines; those beyond count in full until the next look. */
const MOST_EXAMINED = 10_000;

/** How many of the due jobs of a queue are examined for the limits of their groups; those beyond count in full. */
const MOST_DUE = 100;

/** The jobs of a queue that the limits of their groups keep from starting. */
export interface BehindLimits {
  readonly waiting: number;
  readonly due: number;
  /** When (epoch ms) the oldest of the next jobs of groups that may start one could; undefined without one. */
  readonly since: number | undefined;
}

/** Whether limits of groups may keep jobs of the queue from starting. @param defaults those in force. */
export function areGroupsLimited(
  { groups }: QueueState,
  defaults: GroupDefaults | undefined,
): boolean {
  if (!groups.shared.isGrouped) return false;
  if (groups.withSettings + groups.paused + groups.holds.size > 0) return true;
  return defaults !== undefined && boundsGroups(defaults);
}

/**
 * Examines the groups that changed since they were examined last, and those whose time has come: the numbers of all
 * others are kept (ADR 0039).
 */
export function behindLimits(
  queue: QueueState,
  defaults: GroupDefaults | undefined,
  now: number,
): BehindLimits {
  const { kept } = queue.groups;
  kept.goBy(defaults);
  const running = runningByGroup(queue, now);
  for (const group of kept.take(now, MOST_EXAMINED)) examine(queue, group, defaults, running, now);
  return {
    waiting: kept.behind,
    due: dueBehindLimits(queue, defaults, running, now),
    since: kept.since,
  };
}

function boundsGroups({ concurrency, limiter, ordered = false }: GroupDefaults): boolean {
  return concurrency !== undefined || limiter !== undefined || ordered !== false;
}

function examine(
  queue: QueueState,
  group: GroupRecord,
  defaults: GroupDefaults | undefined,
  running: Running,
  now: number,
): void {
  const { groups } = queue;
  const waiting = groups.jobsOf(group);
  const { room, until = Infinity } = roomOf(queue, group, defaults, running, now);
  const behind = Math.max(0, waiting.size - room);
  const first = waiting.size > behind ? waiting.first() : undefined;
  const expires = settingsInForce(group.settings, now)?.expires ?? Infinity;
  const ending = behind > 0 ? endingCallsOf(queue, group.id, now).map((call) => call.until) : [];
  groups.kept.keep(group, {
    behind,
    since: first && startableAt(first),
    until: Math.min(behind > 0 ? until : Infinity, expires, ...ending),
  });
}

/** Jobs without a group have no limit. */
function roomOf(
  queue: QueueState,
  group: GroupRecord,
  defaults: GroupDefaults | undefined,
  running: Running,
  now: number,
): GroupRoom {
  if (group.id === NO_GROUP) return { room: Infinity };
  const terms = groupTerms(defaults, group.settings, now);
  const gate = groupGate(queue, group, now, { terms, running: running.get(group.id) ?? 0 });
  const counted = terms.limiter && queue.groups.windowOf(group)?.counted(terms.limiter, now);
  return groupRoom(gate, terms, now, counted, nextCost(queue.groups, group));
}

/** A due job waits behind those of its group that wait already. */
function dueBehindLimits(
  queue: QueueState,
  defaults: GroupDefaults | undefined,
  running: Running,
  now: number,
): number {
  const due = new Map<string, number>();
  for (const { group, position } of queue.jobs.in.delayed.fromFirst(MOST_DUE)) {
    if ((position?.rank ?? 0) > now) break;
    if (group !== undefined) due.set(group.id, (due.get(group.id) ?? 0) + 1);
  }
  let behind = 0;
  for (const [id, count] of due) {
    const known = queue.groups.find(id);
    const group = known ?? { id, virtualTime: 0, isPaused: false };
    const waiting = known === undefined ? 0 : queue.groups.jobsOf(known).size;
    const { room } = roomOf(queue, group, defaults, running, now);
    behind += Math.max(0, waiting + count - room) - Math.max(0, waiting - room);
  }
  return behind;
}
