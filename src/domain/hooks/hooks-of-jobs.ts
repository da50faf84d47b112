import type { JobEvent } from './hook-events.ts';

/** The ids of the hooks that get a message about each end of a job of one queue. */
export type HooksOfJobs = Readonly<Partial<Record<JobEvent, readonly string[]>>>;

export const NO_HOOKS_OF_JOBS: HooksOfJobs = {};
