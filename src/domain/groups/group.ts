import type { GroupSettings } from './group-settings.ts';

/** Why no job of a group starts. Of several reasons the first one counts. */
export const GROUP_REASONS = ['paused', 'held', 'failed-job', 'concurrency', 'limiter'] as const;

export type GroupReason = (typeof GROUP_REASONS)[number];

/** Why no job of a group starts although one waits. */
export interface BlockedGroup {
  readonly reason: GroupReason;
  /** When that ends by itself (epoch ms); absent where that is unknown. */
  readonly until?: number;
  /** The job that failed for good, or that is to be tried again before the others. */
  readonly job?: string;
}

/** A group of a queue as it is now. Times are epoch ms. */
export interface GroupStanding {
  readonly id: string;
  readonly waiting: number;
  readonly active: number;
  readonly delayed: number;
  /** Since when the first of its waiting jobs could start; null when none waits. */
  readonly waitingSince: number | null;
  /** Its part of the starts of the last SHARE_WINDOW, from 0 to 1. */
  readonly share: number;
  readonly paused: boolean;
  readonly heldUntil: number | null;
  readonly blocked: BlockedGroup | null;
  /** Its own settings, null without. */
  readonly settings: GroupSettings | null;
}

/** The time (ms) over which the starts of groups are compared. */
export const SHARE_WINDOW = 300_000;

/** A group as clients see it. */
export interface Group extends Omit<GroupStanding, 'waitingSince'> {
  /** The age (ms) of its waiting job that is next; null when none waits. */
  readonly oldestWaiting: number | null;
}

/** Whether a group has jobs that have not ended, or settings, or is paused or held. */
export function isShown(group: GroupStanding): boolean {
  const { waiting, active, delayed, paused, heldUntil, settings } = group;
  return waiting + active + delayed > 0 || paused || heldUntil !== null || settings !== null;
}
