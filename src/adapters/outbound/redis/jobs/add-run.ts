import type { NewJob } from '../../../../domain/jobs/job.ts';
import type { ScriptArgument } from '../lua/script.ts';

/**
 * What the script did with one job: its id; or the id of an existing job, whether that one holds its deduplication
 * id, and the bytes that it takes in an answer unless they are still to be measured.
 */
export type AddAnswer =
  string | readonly [id: string, isDeduplicated: 0 | 1, bytes?: number | undefined];

/** The jobs of one call, as arguments of the script. */
export interface AddCall {
  readonly args: readonly ScriptArgument[];
  readonly jobs: readonly NewJob[];
  /** The number of characters in its arguments. */
  readonly size: number;
  /** Whether each job has its deduplication as an argument. */
  readonly isDeduplicating: boolean;
  /** The most jobs that may wait once these are stored. */
  readonly maxWaiting?: number | undefined;
}

/** What a run of the script did for one call. */
export interface AddRun {
  readonly answers: readonly AddAnswer[];
  /** When the jobs were stored, epoch milliseconds. */
  readonly timestamp: number;
}
