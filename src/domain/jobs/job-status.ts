/** Statuses of a job, in the order a listing shows them. */
export const JOB_STATUSES = [
  'active',
  'waiting',
  'prioritized',
  'delayed',
  'completed',
  'failed',
] as const;

export type JobStatus = (typeof JOB_STATUSES)[number];

/** Where a job is: of a status, or waiting for the jobs that it depends on, which no listing shows. */
export type JobState = JobStatus | 'waiting-children';

export const JOB_STATES: readonly JobState[] = [...JOB_STATUSES, 'waiting-children'];

/** How many jobs of each status a queue holds. */
export type JobCounts = Readonly<Record<JobStatus, number>>;

export function isJobStatus(value: string): value is JobStatus {
  return (JOB_STATUSES as readonly string[]).includes(value);
}

/** All given statuses in listing order, each once, so that a page never repeats a job. */
export function inListingOrder(statuses: readonly JobStatus[]): readonly JobStatus[] {
  return JOB_STATUSES.filter((status) => statuses.includes(status));
}

export const NO_JOBS: JobCounts = {
  active: 0,
  waiting: 0,
  prioritized: 0,
  delayed: 0,
  completed: 0,
  failed: 0,
};

export function holdsNoJob(counts: JobCounts): boolean {
  return JOB_STATUSES.every((status) => counts[status] === 0);
}
