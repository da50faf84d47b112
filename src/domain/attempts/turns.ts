import type { Gate } from './gate.ts';
import type { BlockedGroup } from '../groups/group.ts';
import type { GroupTerms } from '../groups/group-settings.ts';
import { limiterWindow, nextStartAt, type Limiter } from '../queues/limiter.ts';
import { USUAL_COST } from '../queues/start-cost.ts';

/*
 * Decides which group of a queue is next, by start-time fair queuing (platform contract, section 13). Each group has a
 * virtual time, and the ready group with the lowest is next. The virtual time of the queue is the one at which its last
 * job started.
 */

/** Where a group that becomes ready begins: a group that was idle, or at a limit, does not save up turns. */
export function virtualStart(ofGroup: number | undefined, ofQueue: number): number {
  return Math.max(ofGroup ?? 0, ofQueue);
}

/** The virtual time of a group after one of its jobs started. */
export function virtualTimeAfter(ofGroup: number, cost: number, weight: number): number {
  return ofGroup + cost / weight;
}

/**
 * How many groups without waiting jobs keep their virtual time; those least ahead of the queue are forgotten first. A
 * forgotten group begins at the virtual time of the queue again, so it may start one job earlier than its turn.
 */
export const MOST_IDLE = 10_000;

/** What decides, apart from the turns, whether a job of a group may start. Times are epoch ms of the store. */
export interface GroupGate extends Pick<Gate, 'isPaused' | 'running' | 'earliestStart'> {
  readonly heldUntil: number | undefined;
  /** The failed job that blocks a group with `ordered: "block"`. */
  readonly failedJob: string | undefined;
  /** The job of an ordered group that waits for its next attempt, and when it is due, unless it waits for others. */
  readonly retried: { readonly job: string; readonly dueAt?: number | undefined } | undefined;
}

/** Why no job of the group starts; undefined when one may. Of several reasons, the first check wins. */
export function groupBlockedBy(
  gate: GroupGate,
  { ordered, concurrency = Infinity, limiter }: GroupTerms,
  now: number,
): BlockedGroup | undefined {
  if (gate.isPaused) return { reason: 'paused' };
  if (gate.heldUntil !== undefined && gate.heldUntil > now) {
    return { reason: 'held', until: gate.heldUntil };
  }
  if (ordered === 'block' && gate.failedJob !== undefined) {
    return { reason: 'failed-job', job: gate.failedJob };
  }
  if (ordered !== false && gate.retried !== undefined) {
    const { job, dueAt } = gate.retried;
    if (dueAt === undefined) return { reason: 'failed-job', job };
    if (dueAt > now) return { reason: 'failed-job', until: dueAt, job };
  }
  if (gate.running >= (ordered === false ? concurrency : 1)) return { reason: 'concurrency' };
  const until = limiter && nextStartAt(limiter, gate.earliestStart, now);
  return until === undefined ? undefined : { reason: 'limiter', until };
}

/** The starts that a limiter counts: what all count, and when (epoch ms) the first of them was made. */
export interface StartsInWindow {
  readonly cost: number;
  readonly first: number | undefined;
}

/** How many jobs of a group may start now, Infinity where nothing bounds them, and when (epoch ms) that may change. */
export interface GroupRoom {
  readonly room: number;
  /** Absent where only something that happens to the group changes it. */
  readonly until?: number;
}

const NO_STARTS: StartsInWindow = { cost: 0, first: undefined };

/**
 * How many jobs of a group may start now, if all cost what the next one does.
 *
 * @param counted what its limiter counts; nothing unless given.
 */
export function groupRoom(
  gate: GroupGate,
  terms: GroupTerms,
  now: number,
  counted = NO_STARTS,
  cost = USUAL_COST,
): GroupRoom {
  const blocked = groupBlockedBy(gate, terms, now);
  if (blocked !== undefined) {
    return { room: 0, ...(blocked.until !== undefined && { until: blocked.until }) };
  }
  const { ordered, concurrency = Infinity, limiter } = terms;
  const room = (ordered === false ? concurrency : 1) - gate.running;
  if (limiter === undefined) return { room };
  const left = startsLeft(limiter, counted, cost);
  if (left >= room || counted.first === undefined) return { room: Math.min(left, room) };
  return { room: left, until: counted.first + limiterWindow(limiter) };
}

/** How many jobs of this cost a limiter lets start. */
function startsLeft({ max }: Limiter, counted: StartsInWindow, cost: number): number {
  return cost === 0
    ? Infinity
    : Math.max(0, Math.floor((max - counted.cost) / Math.min(cost, max)));
}
