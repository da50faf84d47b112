import { MOST_IDLE, virtualStart, virtualTimeAfter } from '../../attempts/turns.ts';
import type { GroupRecord } from '../../records/group-record.ts';
import { byteOrder } from '../../values/byte-order.ts';
import type { GroupOrder, GroupsState } from '../groups-state.ts';
import { inOneStep } from '../in-one-step.ts';

/*
 * Which group of a queue starts a job next: start-time fair queuing (attempts/turns). A group is ready, or parked while
 * none of its waiting jobs may start, or idle without waiting jobs; or it takes no part in the turns.
 */

/** The most groups that one step has take turns again because their time has come. */
const MOST_UNPARKED = 100;

/** The most parked groups that one step frees because other terms hold. */
const MOST_FREED_GROUPS = 1000;

/** A time (epoch ms) that has come. */
const FREED = 1;

/** Makes the group ready, unless it is ready or parked. */
export function takePart(groups: GroupsState, group: GroupRecord): void {
  if (groups.ready.has(group) || groups.parked.has(group)) return;
  const remembered = groups.idle.delete(group) ? group.virtualTime : undefined;
  beReady(groups, group, virtualStart(remembered, groups.shared.time));
}

/** The group has no waiting job any more. */
export function rest(groups: GroupsState, group: GroupRecord): void {
  if (groups.ready.delete(group) || groups.parked.delete(group)) beIdle(groups, group);
}

/** @param until when (epoch ms) one of its jobs may start; Infinity unless that is known. */
export function park(groups: GroupsState, group: GroupRecord, until: number): void {
  groups.ready.delete(group);
  groups.parked.set(group, until);
}

/** Makes the group ready if it is parked. */
export function unpark(groups: GroupsState, group: GroupRecord): void {
  if (groups.parked.delete(group)) beReadyAgain(groups, group);
}

/** Makes groups ready whose time to start a job has come: those of them that come first, where there are many. */
export function unparkDue(groups: GroupsState, now: number): void {
  for (const group of takenUntil(groups.parked, now, MOST_UNPARKED)) beReadyAgain(groups, group);
}

/**
 * The time of parked groups has come, in the order of their ids: of those whose time is next, where there are many. The
 * next steps go on until none is left. They make fewer groups ready than they free, so this ends although some are parked
 * anew.
 */
export function freeParked(groups: GroupsState): void {
  const freed = groups.parked.after(FREED, MOST_FREED_GROUPS);
  for (const group of freed.toSorted((one, other) => byteOrder(one.id, other.id))) {
    groups.parked.set(group, FREED);
  }
  groups.share({ isFreeing: freed.length === MOST_FREED_GROUPS ? true : undefined });
}

/** When (epoch ms) the next group may start a job, as far as is known: it may be past. */
export function nextTurnAt({ ready, parked }: GroupsState): number | undefined {
  const first = ready.first() === undefined ? parked.firstTime() : FREED;
  return first !== undefined && Number.isFinite(first) ? first : undefined;
}

/** A job of the group, which is ready, starts. @param hasMore whether other jobs of it wait. */
export function startTurn(
  groups: GroupsState,
  group: GroupRecord,
  { cost, weight, hasMore }: { cost: number; weight: number; hasMore: boolean },
): void {
  const { virtualTime: time } = group;
  groups.ready.delete(group);
  groups.share({ time });
  for (const idle of takenUntil(groups.idle, time)) forgetIfSpent(groups, idle);
  groups.write(group, { virtualTime: virtualTimeAfter(time, cost, weight) });
  if (hasMore) beReady(groups, group, group.virtualTime);
  else beIdle(groups, group);
}

/** Lets all groups begin anew. To be called while no job waits. */
export function beginAnew(groups: GroupsState): void {
  groups.share({ time: 0, hasBegun: false });
  for (const order of [groups.ready, groups.idle]) {
    for (const group of takenUntil(order, Infinity, order.size)) forgetIfSpent(groups, group);
  }
}

/** Forgets a group that would begin at the virtual time of the queue anyway, and for which nothing holds. */
export function forgetIfSpent(groups: GroupsState, group: GroupRecord): void {
  const { settings, isPaused, failedJob, retriedJob } = group;
  const orders = [groups.ready, groups.parked, groups.idle, groups.windows, groups.holds];
  const isKept =
    isPaused ||
    settings !== undefined ||
    failedJob !== undefined ||
    retriedJob !== undefined ||
    groups.jobsOf(group).size > 0 ||
    orders.some((order) => order.has(group));
  if (!isKept) groups.forget(group);
}

/** Deletes and yields the first of the groups whose time is not after this one. @param most as in `inOneStep`. */
export function takenUntil(order: GroupOrder, time: number, most?: number): Iterable<GroupRecord> {
  return inOneStep(() => {
    const first = (order.firstTime() ?? Infinity) > time ? undefined : order.first();
    if (first !== undefined) order.delete(first);
    return first;
  }, most);
}

function beReady(groups: GroupsState, group: GroupRecord, virtualTime: number): void {
  groups.write(group, { virtualTime });
  if (!groups.shared.hasBegun) groups.share({ hasBegun: true });
  groups.ready.set(group, virtualTime);
}

function beReadyAgain(groups: GroupsState, group: GroupRecord): void {
  beReady(groups, group, virtualStart(group.virtualTime, groups.shared.time));
}

function beIdle(groups: GroupsState, group: GroupRecord): void {
  const { idle, shared } = groups;
  if (group.virtualTime <= shared.time) {
    forgetIfSpent(groups, group);
    return;
  }
  idle.set(group, group.virtualTime);
  const first = idle.size > MOST_IDLE ? idle.first() : undefined;
  if (first === undefined) return;
  idle.delete(first);
  forgetIfSpent(groups, first);
}
