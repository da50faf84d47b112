import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { EndedCall } from '../../domain/attempts/attempt-record.ts';
import type { DeferralScope } from '../../domain/calls/backpressure.ts';
import type { FlowChild } from '../../domain/flows/flow.ts';
import type { BreakerMove, Verdict } from '../../domain/attempts/breaker.ts';
import type { Job } from '../../domain/jobs/job.ts';
import type { Json } from '../../domain/values/json.ts';
import type { Retention } from '../../domain/attempts/retention.ts';
import type { Limiter } from '../../domain/workers/worker-options.ts';

/**
 * Identifies an attempt: its token holds its job. No caller needs to know anything else about the attempt, so any
 * replica, and any client with the token, may end it.
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
   * Why the job is to fail for good without a call: it stalled too often, a child of it failed, or the stored record
   * is no job. Absent otherwise.
   */
  readonly mustFail?: string;
  /** How often the job was deferred since it was added or retried by hand; absent for never. */
  readonly deferrals?: number;
  /** The outcomes of its children, as many as fit in MOST_CHILDREN_BYTES; absent for a job without children. */
  readonly children?: readonly FlowChild[];
}

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
  /** How long the attempt is safe from the stalled check without a renewal, in milliseconds. */
  readonly lockDuration: number;
}

/**
 * A job to process, or why there is none. `idle`: no job waits (the next delayed job is due at `nextAt`), or all the
 * allowed attempts run. `limited`: no job starts before `until`, since the limiter allows none or the queue is held.
 * Epoch milliseconds.
 */
export type Claim =
  | { readonly kind: 'attempt'; readonly attempt: Attempt }
  | { readonly kind: 'idle'; readonly nextAt?: number }
  | { readonly kind: 'limited'; readonly until: number };

/**
 * `keep` is the worker's rule; the job's own rule takes precedence. `call` is the record of the attempt; without one
 * the job ends without an attempt on record.
 *
 * `verdict` is what the call says about its endpoint, for the breaker of the queue. When the calls of as many distinct
 * jobs in a row as the breaker allows found the endpoint down, the breaker opens in the same step: no call starts for a
 * time. Then one attempt at a time is a probe, the only one that may start, and its verdict decides: the breaker
 * closes, or stays open for twice the time. A probe that ends without a verdict decides nothing.
 */
export type AttemptEnding =
  | {
      readonly kind: 'completed';
      readonly returnvalue: Json;
      readonly keep?: Retention | undefined;
      readonly call?: EndedCall | undefined;
      readonly verdict?: Verdict | undefined;
    }
  | {
      readonly kind: 'failed';
      readonly reason: string;
      readonly keep?: Retention | undefined;
      readonly call?: EndedCall | undefined;
      readonly verdict?: Verdict | undefined;
    }
  /** Another attempt after `delay` ms; it starts ahead of waiting jobs when that time is over. */
  | {
      readonly kind: 'retry';
      readonly reason: string;
      readonly delay: number;
      readonly call?: EndedCall | undefined;
      readonly verdict?: Verdict | undefined;
    }
  /**
   * The attempt does not count. Until `until` (epoch ms) the whole queue is held, and the job goes back to the head of
   * its place, in the same step; or the job is delayed by itself. At once, the job goes back and nothing waits. Jobs
   * that go back before another one starts stand in the order in which they had started, also when they are released.
   */
  | {
      readonly kind: 'deferred';
      readonly reason: string;
      readonly scope: DeferralScope;
      readonly until: number;
      readonly call: EndedCall;
    };

/** `held` is false when the attempt had lost its job or had already ended: then nothing was recorded. */
export interface Settled {
  readonly held: boolean;
  /** Whether this ending began a hold of the queue. */
  readonly beginsHold?: boolean;
  /** The move of the breaker that the verdict caused, if any. */
  readonly breaker?: BreakerMove;
  /** The outcome of the requested claim. A store may leave it out; the caller must then claim separately. */
  readonly next?: Claim;
}

/**
 * The outcome of a report: `repeated` when the same one ended the attempt recently, `refused` when nothing was done.
 */
export type ReportOutcome = 'recorded' | 'repeated' | 'refused';

/** How long (ms) a report is remembered, so that a client without an answer may repeat it. */
export const REPORT_MEMORY = 60_000;

/** An attempt whose endpoint accepted the job and did not complete it within `bound` ms. It still holds its job. */
export interface OverdueAttempt {
  readonly queue: QueueName;
  readonly attempt: Attempt;
  readonly bound: number;
}

export interface StalledCheck {
  /** The ids of the jobs that went back to their queue. */
  readonly stalled: readonly string[];
  /** When (epoch ms) another check may find more; absent when an early check is not worthwhile. */
  readonly checkAgainAt?: number;
}

/**
 * Claims jobs, holds them for an attempt and records how the attempt ended. Every change is atomic and counts for all
 * replicas. Methods throw DomainError `store-unavailable` when the store cannot be reached; the change may then have
 * been made or not, and repeating the call with the same token is safe.
 *
 * An attempt holds its job from its claim until it ends or the stalled check gives its job away. The lock
 * only proves to the stalled check that its holder is alive: when the store is away for longer than locks last, none
 * can be renewed, and no attempt loses its work for that.
 *
 * What a store needs for this: for each job its state, a rank within that state (the order of `claim`), and the token
 * of the running attempt with the time when its lock runs out; the times of a limiter's last starts; until when the
 * queue is held. A claim is then one transaction: count the running attempts, look at the hold and the starts, by the
 * clock of the store, take the first job by rank (in SQL: `FOR UPDATE SKIP LOCKED`), set token and lock. To settle is
 * one update of the job whose id and token match, in the same transaction as the next claim. The stalled check marks
 * running jobs whose lock ran out, and puts those back that were marked before; it alone takes a token away.
 * `waitForJobs` needs no more than a notification for each queue (`LISTEN`), since a woken waiter claims to find out.
 */
export interface AttemptPort {
  /**
   * Takes the next job: delayed ones that fell due first, in due order, then waiting ones, then
   * prioritized ones from the lowest number up.
   */
  claim(queue: QueueName, request: ClaimRequest): Promise<Claim>;

  /** Records how an attempt ended and, with `next`, claims again in the same step. */
  settle(
    queue: QueueName,
    attempt: AttemptKey,
    ending: AttemptEnding,
    next?: ClaimRequest,
  ): Promise<Settled>;

  /** Puts a job back at the head of the queue as if the attempt had never started. */
  release(queue: QueueName, attempt: AttemptKey): Promise<void>;

  /**
   * Ends an attempt as the holder of its token reports, and remembers the report in the same step. All reports of
   * completion count as the same one, whatever their value, and so do all of failure, whatever their reason and
   * outcome.
   */
  reportEnding(
    queue: QueueName,
    attempt: AttemptKey,
    ending: AttemptEnding,
  ): Promise<ReportOutcome>;

  /**
   * Puts a job back as if the attempt had never started, as its holder asks: at the head of its place, or after `delay`
   * ms. The report is remembered in the same step, as for an ending. When the method throws because the store did not
   * answer in time, the release does not happen later.
   */
  reportRelease(queue: QueueName, attempt: AttemptKey, delay: number): Promise<ReportOutcome>;

  /** Whether the attempt holds its job now. */
  holds(queue: QueueName, attempt: AttemptKey): Promise<boolean>;

  /** Whether a report that is still remembered ended the attempt. */
  wasReported(queue: QueueName, attempt: AttemptKey): Promise<boolean>;

  /**
   * Holds the job for `duration` ms from now, whether the attempt is called, pulled or accepted. False when the job is
   * lost. When it throws because the store did not answer in time, the extension does not happen later.
   */
  extend(queue: QueueName, attempt: AttemptKey, duration: number): Promise<boolean>;

  /**
   * Leaves a job to its endpoint, which accepted it to complete it later: the token alone holds the attempt for
   * `duration` ms from now, or longer when that is extended, and it never stalls. False when it has lost the job.
   */
  accept(queue: QueueName, attempt: AttemptKey, duration: number): Promise<boolean>;

  /**
   * Records that the call of an attempt that lost its job is over. The call for a cancelled job counts for the
   * concurrency of its queue until then, or until its lock would have run out: its replica may be gone.
   */
  endCall(queue: QueueName, attempt: AttemptKey): Promise<void>;

  /**
   * Returns some of the accepted attempts of any queues that are past their time. The caller must end them; other
   * callers get them again only after a while.
   */
  overdue(): Promise<readonly OverdueAttempt[]>;

  /** Renews the locks for `duration` ms and returns those of the attempts that had lost their jobs. */
  renew<Held extends AttemptKey>(
    queue: QueueName,
    attempts: readonly Held[],
    duration: number,
  ): Promise<readonly Held[]>;

  /** False, and nothing stored, unless the attempt holds its job. */
  reportProgress(queue: QueueName, attempt: AttemptKey, progress: Json): Promise<boolean>;

  /**
   * False, and nothing stored, unless the attempt holds its job. A job keeps its last `KEPT_LOG_LINES`
   * lines, or as many as it was added with.
   */
  addLog(queue: QueueName, attempt: AttemptKey, line: string): Promise<boolean>;

  /**
   * The stalled check: jobs whose attempts neither end nor renew their locks go back to the head of the
   * queue, and must fail when that happened more than `maxStalledCount` times (States and transitions).
   * A lock that has just run out proves nothing yet; its holder has a few seconds to renew it. Every check
   * also ends a wait for jobs that were left, as when the replica that was woken for them died.
   */
  recoverStalled(queue: QueueName, maxStalledCount: number): Promise<StalledCheck>;

  /**
   * The queues with active jobs that clients pulled, on any replica: these queues need not have a worker. A queue is
   * among them until a stalled check finds no active job in it.
   */
  pulledQueues(): Promise<readonly QueueName[]>;

  /**
   * Returns when a job may have become available, at `until` (epoch ms) or once aborted, whichever
   * comes first; of several replicas that wait, one at least. It may return early, so the caller
   * claims to find out. It never throws: while the store is away it returns at `until`.
   */
  waitForJobs(queue: QueueName, until: number, signal: AbortSignal): Promise<void>;
}
