import type { BatchClaim } from './batch.ts';
import type { GroupDefaults } from '../groups/group-settings.ts';
import type { Attempt } from './attempt.ts';
import type { Limiter } from '../queues/limiter.ts';

/** What a claim asks for, and the terms of the worker under which an attempt may start. */
export interface ClaimRequest {
  /** The token of the attempt, if there is a job. It is drawn once for a claim that may take several tries. */
  readonly token: string;
  /** True after a claim with this token had no answer: a job that it took is returned again. */
  readonly isRepeated?: boolean;
  /** True for a client that pulls the job: the reasons not to call an endpoint do not apply to it. */
  readonly isPulled?: boolean;
  /** Whether the worker has a breaker, which then decides whether the call may start. */
  readonly hasBreaker?: boolean;
  /** Most attempts that may run on the queue at once, over all replicas together; unlimited when absent. */
  readonly concurrency?: number | undefined;
  readonly limiter?: Limiter | undefined;
  /** Fills a call with several jobs: then concurrency counts calls, by the tokens (see batch.ts). */
  readonly batch?: BatchClaim | undefined;
  /** What holds for the groups of the queue that have no settings of their own. */
  readonly groups?: GroupDefaults | undefined;
  /** How long the attempt is safe from the stalled check without a renewal, in milliseconds. */
  readonly lockDuration: number;
}

/**
 * A job to process, or why there is none. `idle`: no job waits (the next delayed job is due at `nextAt`), or all the
 * allowed attempts run; `nextAt` is not later than now when the next job may not join the call that asks. `limited`: no
 * job starts before `until`, since the limiter allows none or the queue is held. Epoch milliseconds.
 */
export type Claim =
  | { readonly kind: 'attempt'; readonly attempt: Attempt }
  | { readonly kind: 'idle'; readonly nextAt?: number }
  | { readonly kind: 'limited'; readonly until: number };

/** What a claim for one call with several jobs asks for: one job a token, and all tokens begin alike. */
export interface BatchRequest extends Omit<ClaimRequest, 'token' | 'batch'> {
  readonly tokens: readonly string[];
  readonly batch: BatchClaim;
}

/** The jobs for a call, at most one a token. `lack` says why there were no more. */
export interface ClaimedBatch {
  readonly attempts: readonly Attempt[];
  readonly lack?: Exclude<Claim, { readonly kind: 'attempt' }>;
}
