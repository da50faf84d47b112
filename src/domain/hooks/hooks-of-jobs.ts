import type { JobEvent } from './hook-events.ts';

/** The ids of the hooks that get a message about each end of a job of one queue. */
export type HooksOfJobs = Readonly<Partial<Record<JobEvent, readonly string[]>>> & {
  /** The ids of the hooks that get a `hook.failing`, by the hook that fails; absent without any. */
  readonly failing?: Readonly<Record<string, readonly string[]>>;
};

export const NO_HOOKS_OF_JOBS: HooksOfJobs = {};
