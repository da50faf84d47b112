import type { JobOptions } from '../jobs/job-options.ts';
import type { JobState } from '../jobs/job-status.ts';
import type { Json } from '../values/json.ts';
import type { QueueName } from '../queues/queue-name.ts';

/** Longest value of a job that a tree contains, in bytes as stored. */
export const MAX_TREE_VALUE = 1024;

/** A job of a flow as the tree contains it. A value that is longer than MAX_TREE_VALUE is absent. */
export interface FlowNode {
  readonly queue: QueueName;
  readonly id: string;
  /** Null when the job is gone; then data and opts are absent. */
  readonly name?: string | null;
  /** Null when the job is gone and had not ended. */
  readonly state: JobState | null;
  readonly data?: Json;
  readonly opts?: JobOptions;
  /** Null until it completes. */
  readonly returnvalue?: Json;
  readonly failedReason?: string;
  /** When it was added, last started, and ended, epoch ms; each absent until then, and when the job is gone. */
  readonly timestamp?: number;
  readonly processedOn?: number;
  readonly finishedOn?: number;
  /** Whether it has or had children. */
  readonly isParent: boolean;
}

/** A node and its depth, the number of its ancestors. */
export interface PlacedNode {
  readonly node: FlowNode;
  readonly depth: number;
}
