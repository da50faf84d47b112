import type { BlockedGroup } from '../groups/group.ts';
import type { GroupTerms } from '../groups/group-settings.ts';
import { nextStartAt } from '../queues/limiter.ts';

/*
 * Whose turn it is among the groups of a queue: start-time fair queuing (platform contract, section 13). Each group has
 * a virtual time, and the ready group with the least is next. That of the queue is the one at which its last job started.
 */

/** Where a group that becomes ready begins: a group that was idle, or at a limit, saves up no turns. */
export function virtualStart(ofGroup: number | undefined, ofQueue: number): number {
  return Math.max(ofGroup ?? 0, ofQueue);
}

/** The virtual time of a group after a job of it started. */
export function virtualTimeAfter(ofGroup: number, cost: number, weight: number): number {
  return ofGroup + cost / weight;
}

/**
 * Most groups without waiting jobs whose virtual time is remembered; those that are least ahead of the queue's are
 * forgotten first. Such a group begins at the queue's again, so that it may start one job earlier than is its turn.
 */
export const MOST_IDLE = 10_000;

/** What decides, besides the turns, whether a job of a group may start. Times are epoch ms of the store. */
export interface GroupGate {
  readonly isPaused: boolean;
  readonly heldUntil: number | undefined;
  /** The failed job that blocks a group with `ordered: "block"`. */
  readonly failedJob: string | undefined;
  /** The job of an ordered group that waits for its next attempt, and when that is due. */
  readonly retried: { readonly job: string; readonly dueAt: number } | undefined;
  /** How many of its jobs run. */
  readonly running: number;
  /** When the `max`-th last job started that the limiter counts; undefined when there were fewer. */
  readonly earliestStart: number | undefined;
}

/** Why no job of the group starts, in the order in which the reasons count; undefined when one may. */
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
  if (ordered !== false && gate.retried !== undefined && gate.retried.dueAt > now) {
    return { reason: 'failed-job', until: gate.retried.dueAt, job: gate.retried.job };
  }
  if (gate.running >= (ordered === false ? concurrency : 1)) return { reason: 'concurrency' };
  const until = limiter && nextStartAt(limiter, gate.earliestStart, now);
  return until === undefined ? undefined : { reason: 'limiter', until };
}
