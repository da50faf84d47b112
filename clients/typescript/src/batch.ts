import type { Job } from './api.ts';
import type { BatchContext } from './context.ts';
import { shortened } from './deferred.ts';
import type { SavedSteps } from './steps.ts';

/** The outcome of one job of a batch. */
export type BatchOutcome =
  | { readonly status: 'completed'; readonly value: unknown }
  | {
      readonly status: 'failed';
      readonly reason: string;
      readonly retry?: boolean;
      readonly delay?: number;
    };

/** One job of a batch, with its own reports. */
export interface BatchJob extends Pick<BatchContext, 'progress' | 'log' | 'cost'> {
  readonly job: Job;
  /** Jobs of a batch save steps, but cannot wait. */
  readonly steps: SavedSteps;
}

/** Handles all jobs of a call, and returns one outcome per job, in their order. */
export type BatchHandler = (
  jobs: readonly BatchJob[],
  context: BatchContext,
) => readonly BatchOutcome[] | Promise<readonly BatchOutcome[]>;

/** The outcome of a job that is completed with a value. */
export function ok(value?: unknown): BatchOutcome {
  return { status: 'completed', value };
}

/** The outcome of a failed attempt, for good with `retry: false`; a `delay` (ms) replaces its backoff. */
export function fail(
  reason: string,
  options: { readonly retry?: boolean; readonly delay?: number } = {},
): BatchOutcome {
  return { status: 'failed', reason: shortened(reason), ...options };
}

/** The results of a call. @throws Error unless there is one outcome per job. */
export function resultsOf(
  jobs: readonly { readonly id: string; readonly cost: number | undefined }[],
  outcomes: readonly BatchOutcome[],
) {
  if (outcomes.length !== jobs.length) {
    throw new Error(
      `The batch handler returned ${outcomes.length} results for ${jobs.length} jobs`,
    );
  }
  return outcomes.map((outcome, index) => ({ ...jobs[index], ...outcome }));
}
