import { tooMany } from '../../errors.ts';
import {
  groupTerms,
  MOST_CHANGED_GROUPS,
  type GroupSettings,
} from '../../groups/group-settings.ts';
import type { JobGroup } from '../../groups/job-group.ts';
import type { GroupRecord } from '../../records/group-record.ts';
import { latestStop, type Stop } from '../../values/stop.ts';
import type { GroupsState } from '../groups-state.ts';
import type { QueueState } from '../queue-state.ts';
import { forgetHolds } from './next-group.ts';
import { forgetIfSpent, unpark } from './turns.ts';

/** What decides whether the group of a job about to be added has room for it. `delay` is in ms. */
export interface JobOfGroup {
  readonly group?: JobGroup | undefined;
  readonly delay: number;
}

/** A job that its group has no room for, and how many jobs of the group come before it. */
export interface FullGroup {
  readonly position: number;
  readonly id: string;
  readonly waiting: number;
}

/**
 * The jobs that their groups have no room for.
 *
 * @param groups those of the queue; undefined for a queue that does not exist.
 * @param added the jobs by position; undefined in place of one that is not added to this queue.
 * @param maxWaiting how many jobs may wait in a group that has no such limit of its own.
 */
export function* withoutRoom(
  groups: GroupsState | undefined,
  added: readonly (JobOfGroup | undefined)[],
  maxWaiting: number | undefined,
  now: number,
): Generator<FullGroup> {
  const toWait = new Map<string, number>();
  const defaults = maxWaiting === undefined ? undefined : { maxWaiting };
  for (const [position, job] of added.entries()) {
    const id = job?.group?.id;
    if (job === undefined || id === undefined || job.delay > 0) continue;
    const known = groups?.find(id);
    const { maxWaiting: most = Infinity } = groupTerms(defaults, known?.settings, now);
    const waiting = toWait.get(id) ?? (known && groups?.jobsOf(known).size) ?? 0;
    if (waiting + 1 > most) yield { position, id, waiting };
    else toWait.set(id, waiting + 1);
  }
}

/** @throws DomainError `too-many-groups`. */
export function saveGroupSettings(queue: QueueState, id: string, settings: GroupSettings): void {
  const { groups } = queue;
  if (groups.find(id)?.settings === undefined) checkRoom(groups.withSettings);
  changeGroup(queue, id, { settings });
}

/** @returns false when the group had no settings. */
export function removeGroupSettings(queue: QueueState, id: string): boolean {
  const hadSome = queue.groups.find(id)?.settings !== undefined;
  if (hadSome) changeGroup(queue, id, { settings: undefined });
  queue.wake();
  return hadSome;
}

/** @throws DomainError `too-many-groups`. */
export function pauseGroup(queue: QueueState, id: string, stop?: Stop): void {
  const { groups } = queue;
  const group = groups.find(id);
  if (group?.isPaused !== true) checkRoom(groups.paused);
  changeGroup(queue, id, { isPaused: true, pausedBy: latestStop(group?.pausedBy, stop) });
}

export function resumeGroup(queue: QueueState, id: string): void {
  changeGroup(queue, id, { isPaused: false, pausedBy: undefined });
}

/**
 * Starts no job of the group for this many ms, by hand.
 *
 * @returns when (epoch ms) the hold ends.
 * @throws DomainError `too-many-groups`.
 */
export function holdGroupByHand(
  queue: QueueState,
  id: string,
  duration: number,
  now: number,
  stop?: Stop,
): number {
  const { groups } = queue;
  forgetHolds(groups, now);
  const group = groups.find(id);
  if (group === undefined || !groups.holds.has(group))
    checkRoom(groups.holds.after(now, MOST_CHANGED_GROUPS).length);
  return holdGroup(queue, id, duration, now, stop);
}

/** Of several holds, the one that ends last counts. @returns when (epoch ms) it ends. */
export function holdGroup(
  { groups }: QueueState,
  id: string,
  duration: number,
  now: number,
  stop?: Stop,
): number {
  forgetHolds(groups, now);
  const group = groups.open(id);
  const before = groups.holds.timeOf(group) ?? 0;
  if (now + duration <= before) return before;
  groups.write(group, { heldBy: stop });
  groups.holds.set(group, now + duration);
  return now + duration;
}

export function endHoldOfGroup(queue: QueueState, id: string): void {
  const { groups } = queue;
  groups.holds.delete(groups.open(id));
  changeGroup(queue, id, { heldBy: undefined });
}

function changeGroup(
  queue: QueueState,
  id: string,
  changes: Partial<Omit<GroupRecord, 'id'>>,
): void {
  const { groups } = queue;
  const group = groups.open(id);
  groups.write(group, changes);
  unpark(groups, group);
  forgetIfSpent(groups, group);
  queue.wake();
}

/** @throws DomainError `too-many-groups` when others leave no room for another. */
function checkRoom(changed: number): void {
  if (changed >= MOST_CHANGED_GROUPS) throw tooMany('groups', MOST_CHANGED_GROUPS);
}
