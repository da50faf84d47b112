import type { EventId } from '../../domain/events/event-id.ts';
import type { ErasureFilter } from '../../domain/jobs/erasure.ts';
import type { Traces } from '../../domain/jobs/traces.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { Natures } from './nature.ts';

/** How many jobs one call redacts, at most. */
export const JOBS_PER_ERASURE = 200;

/** How many events lost values or were removed, and the last one that was examined; undefined when there was none. */
export interface ForgottenEvents {
  readonly count: number;
  readonly last: EventId | undefined;
}

/** The ids of jobs with steps. */
export interface SteppedJobs {
  readonly erased: readonly string[];
  readonly others: readonly string[];
}

/** How many values of steps, and kept signals, are gone. */
export interface ForgottenSteps {
  readonly steps: number;
  readonly signals: number;
}

/**
 * Removes what the store has of jobs besides their places, which JobControlPort takes care of (reach contract, section
 * 20). What belongs to them is decided by domain/jobs/traces. Methods work in runs that take the store milliseconds,
 * never create a queue, and throw DomainError `store-unavailable` when the store cannot be reached, within
 * STORE_PATIENCE.
 */
export interface ErasurePort {
  /**
   * Redacts those of the jobs that have ended, as RedactionPort does, but for their events. Reasons that the traces hold
   * go as a whole.
   *
   * @param ids JOBS_PER_ERASURE at most.
   * @returns how many it redacted.
   */
  redact(queue: QueueName, ids: readonly string[], traces: Traces): Promise<number>;

  /**
   * Leaves of each kept event what the traces say, with its id and its time.
   *
   * @param after the event behind which to begin; all unless given.
   */
  forgetEvents(queue: QueueName, traces: Traces, after?: EventId): Promise<ForgottenEvents>;

  /**
   * Forgets remembered adds that name erased jobs, and jobs that match the filter and wait for the end of an active one
   * with their deduplication id.
   *
   * @returns how many.
   */
  forgetAdds(queue: QueueName, traces: Traces, filter: ErasureFilter): Promise<number>;

  /**
   * Removes the steps of erased jobs that no attempt holds. Of other jobs, values of steps that match a filter by data
   * become null: their endpoints do not make these steps again. Kept signals that match it go.
   */
  forgetSteps(queue: QueueName, jobs: SteppedJobs, filter: ErasureFilter): Promise<ForgottenSteps>;

  /** Forgets what is left of groups without jobs that the traces name; what somebody set for a group stays. */
  forgetGroups(queue: QueueName, traces: Traces): Promise<void>;

  /** Has a store with a file of its own overwrite what was removed there, when that disturbs nobody. */
  scrub(): Promise<void>;
}

export const ERASURE_NATURES: Natures<ErasurePort> = {
  redact: 'changes',
  forgetEvents: { is: 'changes', isLong: true },
  forgetAdds: { is: 'changes', isLong: true },
  forgetSteps: { is: 'changes', inPieces: true, isLong: true },
  forgetGroups: { is: 'changes', isLong: true },
  scrub: { is: 'local', isLong: true },
};
