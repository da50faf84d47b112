import type { JobState } from '../jobs/job-status.ts';
import type { Job } from '../jobs/job.ts';
import type { JobAddress } from './flow.ts';

/** Longest value of a job that a tree contains, in bytes as stored. */
export const MAX_TREE_VALUE = 1024;

/** The fields of the job itself: each is absent until there is one, and all are when the job is gone. */
type KnownOfJob = Partial<
  Pick<
    Job,
    'data' | 'opts' | 'returnvalue' | 'failedReason' | 'timestamp' | 'processedOn' | 'finishedOn'
  >
>;

/** A job of a flow as the tree contains it. A value that is longer than MAX_TREE_VALUE is absent. */
export interface FlowNode extends JobAddress, KnownOfJob {
  /** Null when the job is gone; then data and opts are absent. */
  readonly name?: string | null;
  /** Null when the job is gone and had not ended. */
  readonly state: JobState | null;
  /** Whether it has or had children. */
  readonly isParent: boolean;
}

/** A node and its depth, the number of its ancestors. */
export interface PlacedNode {
  readonly node: FlowNode;
  readonly depth: number;
}
