import type { GroupSettings } from './group-settings.ts';

/** Why no job of a group starts. If several reasons apply, the first one counts. */
export const GROUP_REASONS = ['paused', 'held', 'failed-job', 'concurrency', 'limiter'] as const;

export type GroupReason = (typeof GROUP_REASONS)[number];

/** Why no job of a group starts although one waits. */
export interface BlockedGroup {
  readonly reason: GroupReason;
  /** When the block ends by itself (epoch ms); absent if unknown. */
  readonly until?: number;
  /** The job that failed for good, or that must be retried before the others. */
  readonly job?: string;
}

/** The current state of a group of a queue. Times are epoch ms. */
export interface GroupStanding {
  readonly id: string;
  readonly waiting: number;
  readonly active: number;
  readonly delayed: number;
  /** When the first of its waiting jobs could have started; null when none waits. */
  readonly waitingSince: number | null;
  /** Its share of the starts within the last SHARE_WINDOW, from 0 to 1. */
  readonly share: number;
  readonly paused: boolean;
  readonly heldUntil: number | null;
  readonly blocked: BlockedGroup | null;
  /** Its own settings, null without. */
  readonly settings: GroupSettings | null;
}

/** A group without jobs and settings. */
export function emptyGroup(id: string): GroupStanding {
  return {
    id,
    waiting: 0,
    active: 0,
    delayed: 0,
    waitingSince: null,
    share: 0,
    paused: false,
    heldUntil: null,
    blocked: null,
    settings: null,
  };
}

/** The time (ms) over which the starts of groups are compared. */
export const SHARE_WINDOW = 300_000;

/** A group as the API returns it. */
export interface Group extends Omit<GroupStanding, 'waitingSince'> {
  /** The age (ms) of the waiting job that is next; null when none waits. */
  readonly oldestWaiting: number | null;
}

/** Whether a group has unfinished jobs or settings, or is paused or held. */
export function isShown(group: GroupStanding): boolean {
  const { waiting, active, delayed, paused, heldUntil, settings } = group;
  return waiting + active + delayed > 0 || paused || heldUntil !== null || settings !== null;
}
