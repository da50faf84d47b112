import type { Backlog, FiguresOfStep, Step } from '../../domain/figures/figure-steps.ts';
import type { RecordedSteps, StepRange } from '../../domain/figures/figure-series.ts';
import type { LatestCall } from '../../domain/calls/latest-calls.ts';
import type { FailureGroup } from '../../domain/jobs/failures.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';

/** What one source has counted so far in the current minute, and in the hour of that minute. */
export interface CountedSteps {
  /** The process of the service that counted. */
  readonly source: string;
  readonly minute: FiguresOfStep;
  readonly hour: FiguresOfStep;
}

export interface CountedQueue extends CountedSteps {
  readonly queue: QueueName;
  /** Why jobs failed for good in that minute; not all causes, when there are very many. */
  readonly failures: readonly FailureGroup[];
  /** The latest calls that the source made, KEPT_CALLS at most; in place of those it gave before, unless there are none. */
  readonly calls: readonly LatestCall[];
}

/** What waited in queues at the end of the minute that began `at` (epoch ms). */
export interface SampledMinute {
  readonly at: number;
  /** Of all queues together. */
  readonly total: Backlog;
  /** Queues with nothing that waits are left out. */
  readonly queues: readonly { readonly queue: QueueName; readonly backlog: Backlog }[];
}

/** Why jobs of a queue failed in a minute, as one source counted. */
export interface FailuresOfQueue {
  readonly queue: QueueName;
  readonly failures: readonly FailureGroup[];
}

/**
 * Stores figures of queues by minute and hour, as each replica counted them (platform contract, section 10). The steps
 * are kept for KEPT_FOR. Those of a queue are removed with it, and none are stored for a queue that is gone. Methods
 * throw DomainError `store-unavailable` when the store cannot be reached.
 */
export interface FiguresPort {
  /** Stores the figures in place of earlier ones of the source for the same steps; so repeating the call is safe. */
  save(counted: CountedQueue): Promise<void>;

  /** Stores the figures of all queues together, likewise. A minute of which none are stored was not counted. */
  saveTotal(counted: CountedSteps): Promise<void>;

  /**
   * Whether the caller is to sample the minute that began `at`: true for one caller, of those on all replicas.
   */
  claimSample(at: number): Promise<boolean>;

  saveSample(sample: SampledMinute): Promise<void>;

  /** What is on record of the steps of a queue, or of all queues together. */
  read(queue: QueueName | undefined, range: StepRange): Promise<RecordedSteps>;

  /** What all sources counted in the minutes from `first` (epoch ms) on, of each of the queues. */
  recent(
    queues: readonly QueueName[],
    first: number,
  ): Promise<readonly (readonly FiguresOfStep[])[]>;

  /** The queues in which anything was counted since `first` (epoch ms), or some more. */
  countedSince(first: number): Promise<readonly QueueName[]>;

  /** The latest calls of the queue that all sources made, in no order. They are kept for a day after the last. */
  calls(queue: QueueName): Promise<readonly LatestCall[]>;

  /** Why jobs of all queues failed, in the minutes from the one that began at `first` (epoch ms) on. */
  failures(first: number): Promise<readonly FailuresOfQueue[]>;
}

/** How the steps of a size are laid out in groups that are stored and forgotten together. */
export const STEPS_TOGETHER: Readonly<Record<Step, number>> = { minute: 60, hour: 24 };
