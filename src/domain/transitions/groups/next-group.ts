import { DEFAULT_COST } from '../../groups/job-group.ts';
import { NO_GROUP } from '../../groups/group-id.ts';
import type { GroupDefaults } from '../../groups/group-settings.ts';
import type { BlockedGroup } from '../../groups/group.ts';
import { LONGEST_REST, waitingIn } from '../../limits/turns.ts';
import { flowLimitIn, flowSettings, LONGEST_FLOW_REST } from '../../messages/flow-limit.ts';
import { pushOf } from '../../messages/push.ts';
import { limiterWindow } from '../../queues/limiter.ts';
import type { GroupRecord } from '../../records/group-record.ts';
import { costOf, optionsOf, type IndexedJob } from '../../records/job-record.ts';
import type { GroupsState } from '../groups-state.ts';
import type { QueueState } from '../queue-state.ts';
import { refusedBy, stopWaiting, type SharedLimit } from '../shared-limits.ts';
import {
  endingCallsOf,
  groupBlocked,
  nextCost,
  runningByGroup,
  termsOf,
  type Running,
} from './blocking.ts';
import {
  forgetIfSpent,
  freeParked,
  park,
  rest,
  startTurn,
  takenUntil,
  unparkDue,
} from './turns.ts';
import { forgetTurns, hasUngrouped, ungroupedWaits } from './waiting.ts';

/** The group whose turn it is, and its first job; no job for the turn of those without a group. */
export interface Turn {
  /** Its id: the group may be forgotten and begin anew before its job starts. */
  readonly group: string;
  readonly job: IndexedJob | undefined;
}

/** The most groups that one step passes over because none of their jobs may start. */
const MOST_PASSED = 1000;

/** Returns the next turn; undefined when no job may start, or when too many groups were passed over. */
export function nextTurn(
  queue: QueueState,
  defaults: GroupDefaults | undefined,
  now: number,
): Turn | undefined {
  const { groups } = queue;
  useDefaults(groups, defaults);
  unparkDue(groups, now);
  forgetCalls(groups, now);
  forgetWindows(groups, now);
  forgetHolds(groups, now);
  if (hasUngrouped(queue, now)) ungroupedWaits(queue);
  let running: Running | undefined;
  for (let passed = 0; passed < MOST_PASSED; passed += 1) {
    const group = groups.ready.first();
    if (group === undefined) break;
    const turn = turnOf(queue, group, now);
    running ??= runningByGroup(queue, now);
    const blocked = turn && turnBlocked(queue, group, running, now);
    if (turn === undefined) rest(groups, group);
    else if (blocked === undefined) return turn;
    else parkBlocked(queue, group, blocked, now);
  }
  forgetTurns(queue);
  return undefined;
}

/** A turn of one group, out of turn: its job joins a call that took a job of the group in its turn. */
export function turnOutOfTurn(queue: QueueState, id: string, now: number): Turn | undefined {
  const group = queue.groups.find(id);
  if (group === undefined || !queue.groups.ready.has(group)) return undefined;
  const turn = turnOf(queue, group, now);
  if (turn === undefined) return undefined;
  return turnBlocked(queue, group, runningByGroup(queue, now), now) === undefined
    ? turn
    : undefined;
}

/** A job that was taken in a turn of the group starts. */
export function startInTurn(queue: QueueState, id: string, job: IndexedJob, now: number): void {
  const { groups } = queue;
  const group = groups.find(id);
  if (group === undefined || !groups.ready.has(group)) return;
  const { weight, limiter } = termsOf(queue, group, now);
  groups.countStart(group, now);
  if (limiter !== undefined) {
    groups.openWindow(group).count(limiter, { at: now, cost: costOf(job) });
    groups.windows.set(group, now + limiterWindow(limiter));
  }
  startTurn(groups, group, {
    cost: job.group?.cost ?? DEFAULT_COST,
    weight,
    hasMore: id === NO_GROUP || groups.jobsOf(group).size > 0,
  });
}

export function forgetHolds(groups: GroupsState, now: number): void {
  for (const group of takenUntil(groups.holds, now)) forgetIfSpent(groups, group);
}

function turnOf(queue: QueueState, group: GroupRecord, now: number): Turn | undefined {
  const { id } = group;
  if (id === NO_GROUP) {
    return hasUngrouped(queue, now) ? { group: id, job: undefined } : undefined;
  }
  const job = queue.groups.jobsOf(group).first();
  return job && { group: id, job };
}

/** Other defaults may free any group. */
function useDefaults(groups: GroupsState, defaults: GroupDefaults | undefined): void {
  const isSame = JSON.stringify(defaults) === JSON.stringify(groups.shared.defaults);
  if (!isSame) groups.share({ defaults });
  if (!isSame || groups.shared.isFreeing === true) freeParked(groups);
}

/** The group waits until it may go on by itself, unless the end of its settings or of a call frees it earlier. */
function parkBlocked(
  queue: QueueState,
  group: GroupRecord,
  { reason, until = Infinity }: BlockedGroup,
  now: number,
): void {
  const { expires = Infinity } = group.settings ?? {};
  const calls = reason === 'concurrency' ? endingCallsOf(queue, group.id, now) : [];
  const ends = [until, expires > now ? expires : Infinity, ...calls.map((call) => call.until)];
  park(queue.groups, group, Math.min(...ends));
}

function forgetCalls(groups: GroupsState, now: number): void {
  const calls = [...groups.shared.endingCalls];
  const counted = calls.filter(([, { until }]) => until > now);
  if (counted.length < calls.length) groups.share({ endingCalls: new Map(counted) });
}

function forgetWindows(groups: GroupsState, now: number): void {
  for (const group of takenUntil(groups.windows, now)) {
    groups.closeWindow(group);
    forgetIfSpent(groups, group);
  }
}

/** Why no job of a group starts in its turn. At the limit of its flow control key its queue waits, which is woken for it. */
function turnBlocked(
  queue: QueueState,
  group: GroupRecord,
  running: Running,
  now: number,
): BlockedGroup | undefined {
  const blocked = groupBlocked(queue, group, now, { running: running.get(group.id) ?? 0 });
  const limit = flowOf(queue, group, now);
  if (limit === undefined) return blocked;
  if (blocked !== undefined) {
    stopWaiting(queue, limit, now);
    return blocked;
  }
  const [other] = waitingIn(limit.turns, queue.name, now);
  const asked = { call: '', cost: nextCost(queue.groups, group) };
  const longest = other === undefined ? LONGEST_FLOW_REST : LONGEST_REST;
  const refused = refusedBy(queue, [limit], asked, now, longest);
  return refused && { reason: 'limiter', until: refused.nextAt };
}

/** The limit of the key of a group, whose settings are kept from now on if they were not. */
function flowOf(queue: QueueState, group: GroupRecord, now: number): SharedLimit | undefined {
  const { groups, jobs, limits } = queue;
  const name = flowLimitIn(groups.shared.defaults, group.id);
  if (name === undefined) return undefined;
  const [known, next] = [limits.find(name), groups.jobsOf(group).first()];
  const isAsked = known === undefined && next !== undefined && jobs.isAtHand(next);
  const flow = isAsked ? pushOf({ ...optionsOf(jobs.whole(next)) })?.flowControl : undefined;
  const settings = known?.settings ?? (flow && flowSettings(flow));
  if (settings !== undefined) limits.bind(name, settings, now);
  return limits.find(name);
}
