import type { BlockedGroup } from '../groups/group.ts';
import type { GroupTerms } from '../groups/group-settings.ts';
import { nextStartAt } from '../queues/limiter.ts';

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
export interface GroupGate {
  readonly isPaused: boolean;
  readonly heldUntil: number | undefined;
  /** The failed job that blocks a group with `ordered: "block"`. */
  readonly failedJob: string | undefined;
  /** The job of an ordered group that waits for its next attempt, and when it is due. */
  readonly retried: { readonly job: string; readonly dueAt: number } | undefined;
  /** How many of its jobs are running. */
  readonly running: number;
  /** When the `max`-th most recent job that the limiter counts started; undefined when there were fewer. */
  readonly earliestStart: number | undefined;
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
  if (ordered !== false && gate.retried !== undefined && gate.retried.dueAt > now) {
    return { reason: 'failed-job', until: gate.retried.dueAt, job: gate.retried.job };
  }
  if (gate.running >= (ordered === false ? concurrency : 1)) return { reason: 'concurrency' };
  const until = limiter && nextStartAt(limiter, gate.earliestStart, now);
  return until === undefined ? undefined : { reason: 'limiter', until };
}
