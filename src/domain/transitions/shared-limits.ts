import { batchIdOf } from '../attempts/batch.ts';
import type { ClaimRequest } from '../attempts/claim.ts';
import { NO_GROUP } from '../groups/group-id.ts';
import type { GroupDefaults } from '../groups/group-settings.ts';
import type { BlockedGroup } from '../groups/group.ts';
import { flowLimitIn, groupOfFlow } from '../messages/flow-limit.ts';
import type { LimitSettings } from '../limits/limit.ts';
import {
  hasLapsed,
  isInTurn,
  leadOf,
  LONGEST_DEFERENCE,
  LONGEST_REST,
  MOST_OFFERS,
  PATIENCE,
  startsOf,
  waitingIn,
  type Turn,
  type Turns,
} from '../limits/turns.ts';
import { nextStartAt } from '../queues/limiter.ts';
import type { QueueName } from '../queues/queue-name.ts';
import { USUAL_COST } from '../queues/start-cost.ts';
import type { GroupRecord } from '../records/group-record.ts';
import { costOf, type IndexedJob } from '../records/job-record.ts';
import { unpark } from './groups/turns.ts';
import type { GroupsState } from './groups-state.ts';
import type { QueueState, StartWindow } from './queue-state.ts';

/* Limits that several queues share (further contract, section 23). */

/** One limit within one step. */
export interface SharedLimit {
  readonly name: string;
  readonly settings: LimitSettings;
  /** How many calls run that started under it, counted from the jobs that run. */
  readonly running: number;
  runningOf(queue: QueueName): number;
  /** Whether another job of the call runs under it. */
  runs(queue: QueueName, call: string): boolean;
  /** The starts that its limiter counts. */
  readonly starts: StartWindow;
  readonly turns: TurnsState;
  /** The groups of a queue; undefined when the queue does not exist. */
  groupsOf(queue: QueueName): GroupsState | undefined;
}

/** The turns of queues at one limit. Waiters for jobs of a queue are woken once room is offered to it. */
export interface TurnsState extends Turns {
  find(queue: QueueName): Turn | undefined;
  /** Removes it where none is given. */
  put(queue: QueueName, turn: Turn | undefined): void;
}

export interface LimitsState {
  /** Undefined when there is none of that name. */
  find(name: string): SharedLimit | undefined;
  /** Gives the limit of a flow control key its settings, for as long as it is used. */
  bind(name: string, settings: LimitSettings, now: number): void;
  /** Has room of the limits offered at the end of the step. */
  freed(names: readonly string[]): void;
  /** Has a call count although its job is gone, until then (epoch ms) at the latest. */
  keepCall(queue: QueueName, token: string, names: readonly string[], until: number): void;
  endCall(queue: QueueName, token: string): void;
}

/** A start that a claim asks for. */
interface Start {
  readonly queue: QueueName;
  readonly call: string;
  readonly cost: number;
}

/** Why a limit lets no call of a queue start: its concurrency, its limiter, or another queue that is next. */
type LimitRefusal = BlockedGroup | { readonly yieldsSince: number };

/**
 * Why a claim gets no job of this cost because of the limits of its queue; undefined when it may take one. The queue
 * waits at the limits that refuse it, and at no other.
 */
export function refusedByLimits(
  queue: QueueState,
  { limits: names = [], token }: ClaimRequest,
  cost: number,
  now: number,
): { readonly kind: 'idle'; readonly nextAt: number } | undefined {
  return refusedBy(queue, existing(queue, names), { call: batchIdOf(token), cost }, now);
}

/** The same for some limits. @param longest after how many ms a claim is made again at the latest. */
export function refusedBy(
  queue: QueueState,
  limits: readonly SharedLimit[],
  asked: Omit<Start, 'queue'>,
  now: number,
  longest = LONGEST_REST,
): { readonly kind: 'idle'; readonly nextAt: number } | undefined {
  const start = { queue: queue.name, ...asked };
  const refusals = limits.map((limit) => refusalBy(limit, start, now));
  if (refusals.every((refusal) => refusal === undefined)) return undefined;
  const times = limits.map((limit, index) => {
    const refusal = refusals[index];
    if (refusal !== undefined) return wait(start, limit, refusal, now);
    stopWaiting(queue, limit, now);
    return Infinity;
  });
  return { kind: 'idle', nextAt: Math.min(now + longest, ...times) };
}

/** The queue asked for a job, and does not wait for room at its limits. */
export function stopWaitingAt(queue: QueueState, names: readonly string[], now: number): void {
  for (const limit of existing(queue, names)) stopWaiting(queue, limit, now);
}

/**
 * Counts the start of a job in limits.
 *
 * @param wantsMore whether a queue that waited goes on to wait.
 * @returns what the record of the job has of it.
 */
export function startUnderLimits(
  queue: QueueState,
  job: IndexedJob,
  { limits: names = [], groups, token }: ClaimRequest,
  wantsMore: boolean,
  now: number,
): Pick<IndexedJob, 'limits'> {
  const ofFlow = flowLimitIn(groups, job.group?.id);
  const limits = existing(queue, ofFlow === undefined ? names : [...names, ofFlow]);
  for (const limit of limits) {
    const { limiter } = limit.settings;
    if (limiter !== undefined && job.mustFail === undefined) {
      limit.starts.count(limiter, { at: now, cost: costOf(job) });
    }
    countTurn(queue, limit, wantsMore, now);
  }
  if (limits.length === 0) return {};
  return { limits: { call: batchIdOf(token), names: limits.map(({ name }) => name) } };
}

/** Called when a job leaves the active ones. A limit of starts alone has no more room by that. */
export function leaveLimits(queue: QueueState, job: IndexedJob): void {
  if (job.limits === undefined) return;
  const ofCalls = existing(queue, job.limits.names).filter(
    ({ settings }) => settings.concurrency !== undefined,
  );
  queue.limits.freed(ofCalls.map(({ name }) => name));
  queue.jobs.write(job, { limits: undefined });
}

/**
 * Offers the room of a limit to the queues that wait first, and to one more, should one of them not claim; one waits for
 * the time when its limiter has room.
 */
export function offerRoom(limit: SharedLimit, now: number): void {
  const { settings, running, turns } = limit;
  const first = firstOf(turns.waiting, MOST_OFFERS + 1).filter(([queue, turn]) => {
    const isGone =
      groupOfFlow(limit.name) !== undefined && waitingGroup(limit, queue) === undefined;
    if (isGone || hasLapsed(turn, now)) turns.put(queue, undefined);
    return turns.find(queue) !== undefined;
  });
  const room = (settings.concurrency ?? Infinity) - running;
  if (room <= 0 || first.length === 0) return;
  const most = Math.min(room, Math.max(1, leftIn(limit, now)), MOST_OFFERS);
  for (const [queue, turn] of first.slice(0, most + 1)) offer(limit, queue, turn, now);
}

/** Why the limit of its flow control key lets no job of a group start. @param defaults those in force for its queue. */
export function fullFlow(
  { limits }: QueueState,
  { id }: Pick<GroupRecord, 'id'>,
  defaults: GroupDefaults | undefined,
  now: number,
): BlockedGroup | undefined {
  const limit = limits.find(flowLimitIn(defaults, id) ?? '');
  return limit && fullFor(limit, USUAL_COST, now);
}

function firstOf<Item>(items: Iterable<Item>, most: number): readonly Item[] {
  const first: Item[] = [];
  for (const item of items) if (first.push(item) === most) break;
  return first;
}

function existing({ limits }: QueueState, names: readonly string[]): readonly SharedLimit[] {
  return names.flatMap((name) => limits.find(name) ?? []);
}

function leftIn(limit: SharedLimit, now: number): number {
  const { limiter } = limit.settings;
  return limiter === undefined ? Infinity : limiter.max - limit.starts.counted(limiter, now).cost;
}

function fullFor(
  limit: SharedLimit,
  cost: number,
  now: number,
  joins = false,
): BlockedGroup | undefined {
  const { concurrency = Infinity, limiter } = limit.settings;
  if (!joins && limit.running >= concurrency) return { reason: 'concurrency' };
  const until = limiter && nextStartAt(limiter, limit.starts.earliest(limiter, cost), now);
  return until === undefined ? undefined : { reason: 'limiter', until };
}

/** Further jobs of a call that runs are one with it for the concurrency, and take no turn of their own. */
function refusalBy(
  limit: SharedLimit,
  { queue, call, cost }: Start,
  now: number,
): LimitRefusal | undefined {
  const { settings, turns } = limit;
  const joins = limit.runs(queue, call);
  const full = fullFor(limit, cost, now, joins);
  if (full !== undefined) return full;
  const [leader] = joins ? [] : waitingIn(turns, queue, now);
  if (leader === undefined) return undefined;
  const own = turns.find(queue);
  if (startsOf(own, turns, now) < leader[1].starts + leadOf(settings)) return undefined;
  const { yieldsSince = now } = own ?? {};
  if (now - yieldsSince >= PATIENCE) return undefined;
  offer(limit, ...leader, now);
  return { yieldsSince };
}

/** @returns when (epoch ms) the queue has to claim again by itself. */
function wait(
  { queue: name, cost }: Start,
  { settings: { limiter }, turns, starts: counted }: SharedLimit,
  refusal: LimitRefusal,
  now: number,
): number {
  const own = turns.find(name);
  const starts = startsOf(own, turns, now);
  const yieldsSince = 'yieldsSince' in refusal ? refusal.yieldsSince : undefined;
  const isSame =
    own?.waits === true && own.yieldsSince === yieldsSince && own.offeredUntil === undefined;
  if (!isSame) turns.put(name, { starts, waits: true, yieldsSince });
  if (yieldsSince !== undefined) return yieldsSince + PATIENCE;
  if (limiter === undefined || !('until' in refusal)) return Infinity;
  // Each queue claims when there is room for those that come before it, too: one claim is made for each start.
  const first = firstOf(waitingIn(turns, undefined, now), MOST_OFFERS).map(([each]) => each);
  const before = [...first, name].indexOf(name);
  const startsAt = (all: number): number =>
    nextStartAt(limiter, counted.earliest(limiter, Math.min(all, limiter.max)), now) ?? now;
  return Math.min(startsAt(cost + before), startsAt(cost) + LONGEST_DEFERENCE);
}

export function stopWaiting(
  { name, limits }: QueueState,
  { name: limit, turns }: SharedLimit,
  now: number,
): void {
  const turn = turns.find(name);
  if (turn?.waits !== true) return;
  turns.put(name, { starts: turn.starts, waits: false, waitedAt: now });
  limits.freed([limit]);
}

/** Starts count while other queues wait. */
function countTurn(
  { name, limits }: QueueState,
  { name: limit, turns }: SharedLimit,
  wantsMore: boolean,
  now: number,
): void {
  const own = turns.find(name);
  const [next] = waitingIn(turns, name, now);
  const isAlone =
    next === undefined &&
    [...turns].every(([queue, turn]) => queue === name || !isInTurn(turn, now));
  const waited = own?.waits === true;
  const goesOn = waited && wantsMore;
  if (isAlone) {
    for (const [queue] of firstOf(turns, MOST_OFFERS)) {
      if (queue !== name || !goesOn) turns.put(queue, undefined);
    }
    if (goesOn && isAddressed(own)) turns.put(name, { starts: own.starts, waits: true });
    return;
  }
  const waitedAt = waited ? now : own?.waitedAt;
  const starts = startsOf(own, turns, now) + 1;
  turns.put(name, { starts, waits: goesOn, waitedAt });
  if (next !== undefined) limits.freed([limit]);
}

/** Whether room was offered to the queue, or it left room to others. */
function isAddressed({ offeredUntil, yieldsSince }: Turn): boolean {
  return offeredUntil !== undefined || yieldsSince !== undefined;
}

function offer(limit: SharedLimit, queue: QueueName, turn: Turn, now: number): void {
  if (turn.offeredUntil !== undefined) return;
  const group = waitingGroup(limit, queue);
  if (group !== undefined) unpark(...group);
  limit.turns.put(queue, { ...turn, offeredUntil: now + PATIENCE });
}

/** The groups of a queue with the one that waits at the limit of a flow control key. */
function waitingGroup(
  limit: SharedLimit,
  queue: QueueName,
): readonly [GroupsState, GroupRecord] | undefined {
  const groups = limit.groupsOf(queue);
  const group = groups?.find(groupOfFlow(limit.name) ?? NO_GROUP);
  return group && groups && groups.jobsOf(group).size > 0 ? [groups, group] : undefined;
}
