import type { Backlog, FiguresOfStep, Step } from '../../domain/figures/figure-steps.ts';
import type { RecordedSteps, StepRange } from '../../domain/figures/figure-series.ts';
import type { LatestCall } from '../../domain/calls/latest-calls.ts';
import type { FailureGroup } from '../../domain/jobs/failures.ts';
import type { Traces } from '../../domain/jobs/traces.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { Natures } from './nature.ts';

/** The counts of one source in the current minute and hour so far. */
export interface CountedSteps {
  /** The process that counted. */
  readonly source: string;
  readonly minute: FiguresOfStep;
  readonly hour: FiguresOfStep;
}

/** Why jobs of a queue failed for good in a minute; incomplete when there are very many causes. */
export interface FailuresOfQueue {
  readonly queue: QueueName;
  readonly failures: readonly FailureGroup[];
}

export interface CountedQueue extends CountedSteps, FailuresOfQueue {
  /** The latest calls of the source, KEPT_CALLS at most. They replace its earlier ones; an empty list replaces nothing. */
  readonly calls: readonly LatestCall[];
}

/** The backlog of queues at the end of the minute that started `at` (epoch ms). */
export interface SampledMinute {
  readonly at: number;
  /** Of all queues together. */
  readonly total: Backlog;
  /** Queues without a backlog are left out. */
  readonly queues: readonly { readonly queue: QueueName; readonly backlog: Backlog }[];
}

/**
 * Stores figures of queues by minute and hour, as each replica counted them (platform contract, section 10). The steps
 * are kept for KEPT_FOR. The steps of a queue are removed along with it, and none are stored for a queue that no longer
 * exists. Methods throw DomainError `store-unavailable` when the store cannot be reached.
 */
export interface FiguresPort {
  /** Stores the figures, replacing earlier ones of the source for the same steps; so repeating the call is safe. */
  save(counted: CountedQueue): Promise<void>;

  /** Stores the figures of all queues together, likewise. A minute without stored figures was not counted. */
  saveTotal(counted: CountedSteps): Promise<void>;

  /** Whether the caller must sample the minute that started `at`; true for a single caller across all replicas. */
  claimSample(at: number): Promise<boolean>;

  saveSample(sample: SampledMinute): Promise<void>;

  /** The records of the steps of a queue, or of all queues together. */
  read(queue: QueueName | undefined, range: StepRange): Promise<RecordedSteps>;

  /**
   * The counts of all sources in the steps from the one that started at `first` (epoch ms) on, for each of the queues:
   * STEPS_TOGETHER steps at most.
   */
  recent(
    queues: readonly QueueName[],
    step: Step,
    first: number,
  ): Promise<readonly (readonly FiguresOfStep[])[]>;

  /** The queues with counts since `first` (epoch ms), and possibly some more. */
  countedSince(first: number): Promise<readonly QueueName[]>;

  /**
   * The queues of which jobs failed since `first` (epoch ms), and possibly some more.
   *
   * @param among which queues to look at, in one step; all unless given.
   */
  failedSince(first: number, among?: readonly QueueName[]): Promise<readonly QueueName[]>;

  /**
   * The latest calls of the queue from all sources, in no particular order. They are kept for a day after the last one.
   */
  calls(queue: QueueName): Promise<readonly LatestCall[]>;

  /** Removes what the failures and the latest calls of a queue say of erased jobs. @param now epoch ms. */
  forget(queue: QueueName, traces: Traces, now: number): Promise<void>;

  /** Why jobs of all queues failed, in the minutes from the one that started at `first` (epoch ms) on. */
  failures(first: number): Promise<readonly FailuresOfQueue[]>;
}

/** How the steps of a size are grouped for storage and removal. */
export const STEPS_TOGETHER: Readonly<Record<Step, number>> = { minute: 60, hour: 24 };

export const FIGURES_NATURES: Natures<FiguresPort> = {
  save: 'notes',
  saveTotal: 'notes',
  claimSample: 'notes',
  saveSample: { is: 'notes', isLong: true },
  read: 'looks',
  recent: { is: 'looks', isLong: true },
  countedSince: 'looks',
  failedSince: 'looks',
  calls: 'looks',
  forget: { is: 'notes', isLong: true },
  failures: { is: 'looks', isLong: true },
};
