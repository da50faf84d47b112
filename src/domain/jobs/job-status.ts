import { integer, object, optional, required, type Field } from '../values/shape.ts';

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

/** All states of a job in listing order: the statuses, and the wait for children. */
export const JOB_STATES = [...JOB_STATUSES, 'waiting-children'] as const;

export type JobState = (typeof JOB_STATES)[number];

/** The states of jobs that are done: only a retry or a retention rule moves them. */
export type EndedState = Extract<JobState, 'completed' | 'failed'>;

/** The state of a job that ended; undefined for any other. */
export function endedState(state: JobState | undefined): EndedState | undefined {
  return state === 'completed' || state === 'failed' ? state : undefined;
}

/** How many jobs of each status a queue holds. */
export type JobCounts = Readonly<Record<JobStatus, number>>;

/** How many jobs of each state a queue holds. */
export type StateCounts = Readonly<Record<JobState, number>>;

const countFields = Object.fromEntries(
  JOB_STATUSES.map((status) => [status, required(integer(0), `How many jobs are ${status}`)]),
) as Readonly<Record<JobStatus, Field<number, true>>>;

const PARENTS = 'How many jobs wait for others';

export const jobCountsShape = object('JobCounts', {
  ...countFields,
  'waiting-children': optional(integer(0), `${PARENTS}; only when they are asked for`),
});

export const stateCountsShape = object('StateCounts', {
  ...countFields,
  'waiting-children': required(integer(0), PARENTS),
});

export function isJobState(value: string): value is JobState {
  return (JOB_STATES as readonly string[]).includes(value);
}

/** All given states in listing order, without duplicates, so that a page never repeats a job. */
export function inListingOrder(states: readonly JobState[]): readonly JobState[] {
  return JOB_STATES.filter((state) => states.includes(state));
}

export const NO_JOBS: StateCounts = {
  active: 0,
  waiting: 0,
  prioritized: 0,
  delayed: 0,
  completed: 0,
  failed: 0,
  'waiting-children': 0,
};

/** The number of jobs in all states together. */
export function jobsIn(counts: StateCounts): number {
  return JOB_STATES.reduce((sum, state) => sum + counts[state], 0);
}

export function holdsNoJob(counts: StateCounts): boolean {
  return JOB_STATES.every((state) => counts[state] === 0);
}
