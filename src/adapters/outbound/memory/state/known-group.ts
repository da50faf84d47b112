import type { GroupSettings } from '../../../../domain/groups/group-settings.ts';
import type { CallWindow } from './call-window.ts';
import type { GroupJobs } from './group-jobs.ts';
import type { ListedJob } from './listed-job.ts';

/** The state of one group. Its places among the other groups are in GroupTurns and QueueGroups. */
export interface KnownGroup {
  readonly id: string;
  /** Its waiting jobs. */
  readonly jobs: GroupJobs;
  /** As of its latest turn (domain/attempts/turns). It matters while the group takes part in the turns. */
  virtualTime: number;
  /** The starts that its limiter counts. */
  window?: CallWindow | undefined;
  settings?: GroupSettings | undefined;
  isPaused: boolean;
  /** The failed job that blocks it, and the job that waits for its next attempt, where jobs are ordered. */
  failedJob?: ListedJob | undefined;
  retriedJob?: ListedJob | undefined;
}
