import type { Job } from './job.ts';
import { endedState, type JobState } from './job-status.ts';
import type { Json } from '../values/json.ts';
import { integer } from '../values/shape.ts';

/** How long (ms) one call may wait for the end of a job. */
export const resultTimeout = integer(0, 60_000);

/** The outcome of a job, or its state until it has ended. */
export type JobResult =
  | { readonly state: 'completed'; readonly returnvalue: Json }
  | { readonly state: 'failed'; readonly failedReason: string }
  | { readonly state: Exclude<JobState, 'completed' | 'failed'> };

export function jobResult({ state, returnvalue, failedReason = '' }: Job): JobResult {
  if (state === 'completed') return { state, returnvalue };
  return state === 'failed' ? { state, failedReason } : { state };
}

export function hasEnded({ state }: Pick<JobResult, 'state'>): boolean {
  return endedState(state) !== undefined;
}
