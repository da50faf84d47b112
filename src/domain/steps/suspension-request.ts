import type { QueueName } from '../queues/queue-name.ts';
import type { Suspending } from './suspend-answer.ts';

/** A suspension as a store takes it. */
export interface SuspensionRequest extends Suspending {
  /** Prefix of the ids of the jobs that it adds. */
  readonly id: string;
  /** How many jobs may wait in each of their queues that has a limit. */
  readonly maxWaiting: ReadonlyMap<QueueName, number>;
}

/** Why an answer does not suspend its job. */
export interface SuspensionRefusal {
  readonly reason: string;
  /** Whether the job fails for good. */
  readonly isFinal: boolean;
}
