import type { QueueName } from '../queues/queue-name.ts';
import type { JobState } from './job-status.ts';
import { cutToLength } from '../values/text.ts';

/** How much of a reason a summary contains, in characters. */
const LONGEST_REASON = 200;

/** A job without the values of clients (platform contract, section 10). Times are epoch ms; null means absent. */
export interface JobSummary {
  readonly id: string;
  readonly name: string;
  readonly state: JobState;
  readonly timestamp: number;
  readonly processedOn: number | null;
  readonly finishedOn: number | null;
  /** When a delayed job is due. */
  readonly dueAt: number | null;
  /** 0 means none. */
  readonly priority: number;
  readonly attemptsMade: number;
  /** Maximum number of attempts, as set by the producer; 0 when unset. */
  readonly attempts: number;
  /** Null when the progress is not a number; 0 initially. */
  readonly progress: number | null;
  readonly failedReason: string | null;
  /** The status of the last answer. */
  readonly lastStatus: number | null;
  readonly group: string | null;
  readonly parent: { readonly queue: QueueName; readonly id: string } | null;
  /** The size of its stored data, in bytes of JSON. */
  readonly dataSize: number;
}

/** The beginning of a reason, as summaries contain it. */
export function summarizedReason(reason: string): string {
  return cutToLength(reason, LONGEST_REASON);
}
