import type { NewJob } from '../jobs/job.ts';
import type { QueueName } from '../queues/queue-name.ts';
import type { NewStep } from './step.ts';

/** A job that a step adds. */
export interface AddedByStep {
  readonly queue: QueueName;
  readonly job: NewJob;
}

/** The steps that an answer saves and awaits, by their names. Times are milliseconds. */
export interface SuspensionRequest {
  readonly steps: readonly NewStep[];
  readonly sleeps: readonly { readonly name: string; readonly duration: number }[];
  readonly signals: readonly {
    readonly name: string;
    readonly key: string;
    readonly timeout?: number | undefined;
  }[];
  readonly added: readonly { readonly name: string; readonly jobs: readonly AddedByStep[] }[];
  /** What the start of the attempt counted in limiters, if that was reported. */
  readonly cost?: number | undefined;
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
