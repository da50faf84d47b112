import type { FlowChild } from '../flows/flow-child.ts';
import type { Job } from '../jobs/job.ts';
import type { NewStep } from '../steps/step.ts';

/**
 * Identifies an attempt: the attempt holds its job by its token. Nothing else is needed to end it, so any replica, and
 * any client with the token, may do so.
 */
export interface AttemptKey {
  readonly jobId: string;
  /** Random, at least 128 bits, unique to this attempt. It is worthless once the attempt has ended. */
  readonly token: string;
}

/** One attempt to process a job, as its claim returned it. */
export interface Attempt extends AttemptKey {
  readonly job: Job;
  /**
   * Why the job must fail for good without a call: it stalled too often, one of its children failed, or the stored
   * record is not a valid job. Absent otherwise.
   */
  readonly mustFail?: string;
  /** How often the job was deferred since it was added or retried manually; absent for never. */
  readonly deferrals?: number;
  /** Its saved steps, with their values as JSON; absent without any. */
  readonly steps?: readonly NewStep[];
  /** Whether it goes on after a suspension, also when it was put back: then it is no attempt of its own. */
  readonly isWake?: true;
  /** The half of a failed call that the job belongs to; absent when the call was not split. */
  readonly half?: string;
  /** The outcomes of its children, as many as fit in MOST_CHILDREN_BYTES; absent for a job without children. */
  readonly children?: readonly FlowChild[];
}

/** The hold of an attempt on its job. It is lost at `expiresAt` (epoch ms) unless renewed. */
export interface Lock {
  readonly token: string;
  readonly expiresAt: number;
  /** Whether a replica calls an endpoint for the job; otherwise a client pulled it. */
  readonly isCalled: boolean;
}
