import type { GroupDefaults, GroupSettings } from '../groups/group-settings.ts';
import type { Stop } from '../values/stop.ts';

/** The state of one group. It is kept while it has waiting jobs or a part in the turns, or while something holds for it. */
export interface GroupRecord {
  readonly id: string;
  /** As of its latest turn (domain/attempts/turns). It matters while the group takes part in the turns. */
  readonly virtualTime: number;
  readonly settings?: GroupSettings | undefined;
  readonly isPaused: boolean;
  /** Who paused it, while it is paused, and who held it, which counts while it is held. */
  readonly pausedBy?: Stop | undefined;
  readonly heldBy?: Stop | undefined;
  /** The ids of the failed job that blocks it, and of the job that waits for its next attempt, where jobs are ordered. */
  readonly failedJob?: string | undefined;
  readonly retriedJob?: string | undefined;
}

/** The call of a cancelled job, which counts as one of its group until it is over, or until then (epoch ms). */
export interface EndingCallOfGroup {
  readonly group: string;
  readonly until: number;
}

/** What all groups of a queue share. */
export interface SharedGroups {
  /** Whether the queue ever had a job with a group. */
  readonly isGrouped: boolean;
  /** The virtual time of the queue. */
  readonly time: number;
  /** Whether a group was ready since the turns last began anew. */
  readonly hasBegun: boolean;
  /** The settings that the last claim found for groups without their own. */
  readonly defaults: GroupDefaults | undefined;
  /** Whether parked groups are left that other defaults may free. */
  readonly isFreeing?: true | undefined;
  /** The calls of cancelled jobs that may still run, by their tokens. */
  readonly endingCalls: ReadonlyMap<string, EndingCallOfGroup>;
}
