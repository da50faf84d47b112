import type { NewJob } from '../../../../domain/jobs/job.ts';
import type { ScriptArgument } from '../lua/script.ts';

/**
 * The outcome for one job of an add: its id when it was stored. Otherwise an existing job stands for it: the id of that
 * job, whether it holds the deduplication id, and its bytes in an answer unless they are still to be measured.
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
