import type { BatchClaim } from './batch.ts';
import type { GroupDefaults } from '../groups/group-settings.ts';
import type { Attempt } from './attempt.ts';
import type { Limiter } from '../queues/limiter.ts';
import type { OpenTime } from '../queues/window.ts';

/** What a claim asks for, and the settings of the worker that decide whether an attempt may start. */
export interface ClaimRequest {
  /** The token of the attempt that the claim starts, drawn once and reused when the claim is repeated. */
  readonly token: string;
  /** True when an earlier claim with this token got no answer: a job that it took is returned again. */
  readonly isRepeated?: boolean;
  /** True for a client that pulls jobs: the reasons not to call an endpoint do not apply to it. */
  readonly isPulled?: boolean;
  /**
   * True for a client that receives messages, which pulls: the attempt is accepted in the same step (acceptance.ts), for
   * `lockDuration`, and does not stall.
   */
  readonly isReceived?: boolean;
  /** Whether the saved steps of the job come with it. */
  readonly wantsSteps?: boolean;
  /** Whether the worker has a breaker, which then decides whether the call may start. */
  readonly hasBreaker?: boolean;
  /** How many attempts may run on the queue at once, across all replicas; unlimited when absent. */
  readonly concurrency?: number | undefined;
  readonly limiter?: Limiter | undefined;
  /** The names of the limits that the queue shares with others. */
  readonly limits?: readonly string[] | undefined;
  /** Fills a call with several jobs. Concurrency then counts calls, identified by the tokens (see batch.ts). */
  readonly batch?: BatchClaim | undefined;
  /** When the claim may get a job, by the clock of the store; at any time when absent. */
  readonly openTime?: OpenTime | undefined;
  /** The settings for groups of the queue that have none of their own. */
  readonly groups?: GroupDefaults | undefined;
  /** How long (ms) the attempt is safe from the stalled check without a renewal, or in flight when it is received. */
  readonly lockDuration: number;
}

/**
 * A job to process, or why there is none. `idle`: no job waits (the next delayed job is due at `nextAt`), or the
 * maximum number of attempts is running; a `nextAt` that is not in the future means that the next job may not join the
 * call that asks. `limited`: no job starts before `until`, because of the limiter, a hold or the window of the queue. Epoch
 * milliseconds.
 */
export type Claim =
  | { readonly kind: 'attempt'; readonly attempt: Attempt }
  | { readonly kind: 'idle'; readonly nextAt?: number }
  | { readonly kind: 'limited'; readonly until: number };

/** What a claim for one call with several jobs asks for: at most one job per token. All tokens share a prefix. */
export interface BatchRequest extends Omit<ClaimRequest, 'token' | 'batch'> {
  readonly tokens: readonly string[];
  readonly batch: BatchClaim;
}

/** The jobs for a call, at most one per token. `lack` says why there were no more. */
export interface ClaimedBatch {
  readonly attempts: readonly Attempt[];
  readonly lack?: Exclude<Claim, { readonly kind: 'attempt' }>;
}
