import type { Job } from '../../domain/job.ts';
import type { Json } from '../../domain/json.ts';
import type { Limiter, Retention } from '../../domain/worker-options.ts';

/** One attempt to process a job, held by whoever knows its token. */
export interface Attempt {
  readonly job: Job;
  /** At least 128 random bits, valid for this attempt only and until its end or the loss of its lock. */
  readonly token: string;
  /**
   * Set when the job is to fail for good without a call, and why: it stalled too often, a child of it
   * failed, or what is stored is no job.
   */
  readonly mustFail?: string;
}

export interface ClaimRequest {
  /** Most attempts that may run on the queue at once, over all replicas together. */
  readonly concurrency: number;
  readonly limiter?: Limiter;
  /** How long the attempt is safe from the stalled check without an extension, in milliseconds. */
  readonly lockDuration: number;
}

/**
 * A job to process, or why there is none: nothing waits (`nextAt` is when the next delayed job falls
 * due) or all the allowed attempts run, or the limiter allows none before `until`. Epoch milliseconds.
 */
export type Claim =
  | { readonly kind: 'attempt'; readonly attempt: Attempt }
  | { readonly kind: 'idle'; readonly nextAt?: number }
  | { readonly kind: 'limited'; readonly until: number };

export type AttemptEnding =
  | {
      readonly kind: 'completed';
      readonly returnvalue: Json;
      readonly keep?: Retention | undefined;
    }
  | { readonly kind: 'failed'; readonly reason: string; readonly keep?: Retention | undefined }
  /** Another attempt after `delay` ms; it starts ahead of waiting jobs when that time is over. */
  | { readonly kind: 'retry'; readonly reason: string; readonly delay: number };

/** `held` is false when the attempt had lost its job: then nothing was recorded. */
export interface Settled {
  readonly held: boolean;
  /** The outcome of the claim that was asked for. A store may leave it out; then claim by itself. */
  readonly next?: Claim;
}

export interface StalledCheckRequest {
  /** How often a job may stall before it fails. */
  readonly maxStalledCount: number;
  /** Checks of one queue within this time count once, whichever replica makes them; milliseconds. */
  readonly interval: number;
  /** How long after a check that suspects jobs the next one counts, if that is sooner; milliseconds. */
  readonly grace: number;
}

export interface StalledCheckResult {
  /** The ids of the jobs that went back to their queue. */
  readonly stalled: readonly string[];
  /** Jobs were found without a lock for the first time: worth another check after the grace. */
  readonly suspected: boolean;
}

/**
 * Queues as a consumer of jobs sees them. Every state change is atomic and counts for all replicas.
 * Methods throw DomainError `store-unavailable` when the store cannot be reached; what they were
 * asked to do may then have happened or not, and asking again is safe.
 *
 * An attempt whose lock ran out still holds its job until the stalled check gives the job away. So an
 * outage of the store of any length, in which no lock can be renewed, costs no attempt its work.
 */
export interface JobConsumerPort {
  /**
   * Takes the next job: delayed ones that fell due first, in due order, then waiting ones, then
   * prioritized ones from the lowest number up.
   */
  claim(queue: string, request: ClaimRequest): Promise<Claim>;

  /** Records how an attempt ended and, when `next` is given, claims again in the same step. */
  settle(
    queue: string,
    attempt: Attempt,
    ending: AttemptEnding,
    next?: ClaimRequest,
  ): Promise<Settled>;

  /** Puts a job back at the head of the queue as if the attempt had never started. */
  release(queue: string, attempt: Attempt): Promise<void>;

  /** Renews the locks for `duration` ms and returns the attempts that had lost their jobs. */
  extendLocks(
    queue: string,
    attempts: readonly Attempt[],
    duration: number,
  ): Promise<readonly Attempt[]>;

  /**
   * The stalled check: jobs found without a lock on two checks in a row go back to the head of the
   * queue, and must fail when that happened more than `maxStalledCount` times (States and transitions).
   * Every check ends a wait for jobs that were left lying, as when the replica that was woken for them died.
   */
  recoverStalled(queue: string, request: StalledCheckRequest): Promise<StalledCheckResult>;

  /**
   * Returns when a job may have become available, at `until` (epoch ms) or once aborted, whichever
   * comes first; of several replicas that wait, one at least. It may return early, so the caller
   * claims to find out. It never throws: while the store is away it returns at `until`.
   */
  waitForJobs(queue: string, until: number, signal: AbortSignal): Promise<void>;
}
