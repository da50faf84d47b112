import type { QueueName } from '../queues/queue-name.ts';
import type { JobState } from './job-status.ts';

/** Longest beginning of a reason that a summary has, in characters. */
const LONGEST_REASON = 200;

/**
 * A job without what clients put into it (platform contract, section 10). Times are epoch ms; null stands for what
 * there is none of.
 */
export interface JobSummary {
  readonly id: string;
  readonly name: string;
  readonly state: JobState;
  readonly timestamp: number;
  readonly processedOn: number | null;
  readonly finishedOn: number | null;
  /** When a delayed job is due. */
  readonly dueAt: number | null;
  /** 0 for none. */
  readonly priority: number;
  readonly attemptsMade: number;
  /** Most attempts, as its producer asked for; 0 when it did not. */
  readonly attempts: number;
  /** Null for progress that is no number; 0 at first. */
  readonly progress: number | null;
  readonly failedReason: string | null;
  /** The status of the last answer. */
  readonly lastStatus: number | null;
  readonly group: string | null;
  readonly parent: { readonly queue: QueueName; readonly id: string } | null;
  /** Of its data as it is stored, in bytes of JSON. */
  readonly dataSize: number;
}

/** The beginning of a reason, as summaries have it. */
export function summarizedReason(reason: string): string {
  return reason.slice(0, LONGEST_REASON).toWellFormed();
}
