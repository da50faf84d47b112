import type { QueueName } from '../../domain/queue-name.ts';
import type { EndedCall } from '../../domain/attempt-record.ts';
import type { DeferralScope } from '../../domain/backpressure.ts';
import type { FlowChild } from '../../domain/flow.ts';
import type { BreakerMove, Verdict } from '../../domain/breaker.ts';
import type { Job } from '../../domain/job.ts';
import type { Json } from '../../domain/json.ts';
import type { Retention } from '../../domain/retention.ts';
import type { Limiter } from '../../domain/worker-options.ts';

/**
 * What identifies an attempt: whoever knows its token holds its job. Nothing else about the attempt is ever
 * asked of a caller, so any replica, and any client that was given the token, may end it.
 */
export interface AttemptKey {
  readonly jobId: string;
  /** Random, at least 128 bits, of this attempt alone. It is worth nothing once the attempt has ended. */
  readonly token: string;
}

/** One attempt to process a job, as its claim tells of it. */
export interface Attempt extends AttemptKey {
  readonly job: Job;
  /**
   * Set when the job is to fail for good without a call, and why: it stalled too often, a child of it
   * failed, or what is stored is no job.
   */
  readonly mustFail?: string;
  /** How often the job was deferred since it was added or retried by hand; absent for never. */
  readonly deferrals?: number;
  /** What became of its children, as many as fit in MOST_CHILDREN_BYTES; absent for a job that has none. */
  readonly children?: readonly FlowChild[];
}

export interface ClaimRequest {
  /** The token of the attempt, should there be a job. It is drawn once for what may take several tries. */
  readonly token: string;
  /** True after a claim with this token had no answer: a job that it took is given again. */
  readonly isRepeated?: boolean;
  /** True for a client that takes the job itself: what keeps an endpoint from being called does not concern it. */
  readonly isPulled?: boolean;
  /** Whether the worker has a breaker, which then decides whether the call may start. */
  readonly hasBreaker?: boolean;
  /** Most attempts that may run on the queue at once, over all replicas together; any number unless given. */
  readonly concurrency?: number | undefined;
  readonly limiter?: Limiter | undefined;
  /** How long the attempt is safe from the stalled check without a renewal, in milliseconds. */
  readonly lockDuration: number;
}

/**
 * A job to process, or why there is none: nothing waits (`nextAt` is when the next delayed job falls
 * due) or all the allowed attempts run, or no job starts before `until`, since the limiter allows none or the queue
 * is held. Epoch milliseconds.
 */
export type Claim =
  | { readonly kind: 'attempt'; readonly attempt: Attempt }
  | { readonly kind: 'idle'; readonly nextAt?: number }
  | { readonly kind: 'limited'; readonly until: number };

/**
 * `keep` is the worker's rule; what the job says of itself goes before it. `call` is what goes on record of the
 * attempt; without one the job ends and nothing was tried.
 *
 * `verdict` is what the call tells of its endpoint, for the breaker of the queue. So many distinct jobs in a row whose
 * calls found it down open the breaker, in the same step: no call starts for a time. Then one attempt at a time is a
 * probe, the only one that may start, and its verdict decides: the breaker closes, or stays open for twice the time.
 * A probe that ends without a verdict decides nothing.
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
   * The attempt does not count. Until then (epoch ms) the whole queue is held, and the job goes back at the head of
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

/** `held` is false when the attempt had lost its job, or ended before: then nothing was recorded. */
export interface Settled {
  readonly held: boolean;
  /** Whether the queue is held since, and was not before. */
  readonly beginsHold?: boolean;
  /** What the verdict has done to the breaker, if anything. */
  readonly breaker?: BreakerMove;
  /** The outcome of the claim that was asked for. A store may leave it out; then claim by itself. */
  readonly next?: Claim;
}

/** What became of a report: `repeated` when the same one ended the attempt lately, `refused` when nothing was done. */
export type ReportOutcome = 'recorded' | 'repeated' | 'refused';

/** How long (ms) a report is remembered, so that whoever had no answer may repeat it. */
export const REPORT_MEMORY = 60_000;

/** An attempt whose endpoint accepted the job, and did not complete it within `bound` ms. It holds its job still. */
export interface OverdueAttempt {
  readonly queue: QueueName;
  readonly attempt: Attempt;
  readonly bound: number;
}

export interface StalledCheck {
  /** The ids of the jobs that went back to their queue. */
  readonly stalled: readonly string[];
  /** When (epoch ms) another check may find more, if that is worth coming back for. */
  readonly checkAgainAt?: number;
}

/**
 * Claims jobs, holds them for an attempt and records how the attempt ended. Every change is atomic and counts for all
 * replicas. Methods throw DomainError `store-unavailable` when the store cannot be reached; what they were
 * asked to do may then have happened or not, and asking again, with the same token, is safe.
 *
 * An attempt holds its job from its claim until it ends or the stalled check gives its job away. The lock
 * only tells the stalled check that its holder lives: when the store is away for longer than locks last,
 * none can be renewed, and that costs no attempt its work.
 *
 * What a store needs for this: with each job its state, a rank within that state (the order of `claim`), and
 * of the running attempt the token and when its lock runs out; the times of a limiter's last starts; until when the
 * queue is held. A claim is then one transaction: count the running attempts, look at the hold and the starts, by the
 * clock of the store, take the first job by rank (in
 * SQL: `FOR UPDATE SKIP LOCKED`), set token and lock. To settle is one update of the job whose id and
 * token match, in the same transaction as the next claim. The stalled check marks running jobs whose lock
 * ran out, and puts those back that were marked before; it alone takes a token away. `waitForJobs` needs no
 * more than a notification for each queue (`LISTEN`), since whoever is woken claims to find out.
 */
export interface AttemptPort {
  /**
   * Takes the next job: delayed ones that fell due first, in due order, then waiting ones, then
   * prioritized ones from the lowest number up.
   */
  claim(queue: QueueName, request: ClaimRequest): Promise<Claim>;

  /** Records how an attempt ended and, when `next` is given, claims again in the same step. */
  settle(
    queue: QueueName,
    attempt: AttemptKey,
    ending: AttemptEnding,
    next?: ClaimRequest,
  ): Promise<Settled>;

  /** Puts a job back at the head of the queue as if the attempt had never started. */
  release(queue: QueueName, attempt: AttemptKey): Promise<void>;

  /**
   * Ends an attempt as whoever holds its token says, and remembers that in the same step. Completing is one report,
   * failing another, whatever they say; what comes of a failure makes no difference.
   */
  reportEnding(
    queue: QueueName,
    attempt: AttemptKey,
    ending: AttemptEnding,
  ): Promise<ReportOutcome>;

  /**
   * Puts a job back as if the attempt had never started, as its holder asks: at the head of its place, or after `delay`
   * ms. It is remembered in the same step, as an ending is. When it throws because the store did not answer in time, it
   * is not done later.
   */
  reportRelease(queue: QueueName, attempt: AttemptKey, delay: number): Promise<ReportOutcome>;

  /** Whether the attempt holds its job now. */
  holds(queue: QueueName, attempt: AttemptKey): Promise<boolean>;

  /** Whether a report ended the attempt, as far as that is remembered. */
  wasReported(queue: QueueName, attempt: AttemptKey): Promise<boolean>;

  /**
   * Holds the job for `duration` ms from now, whether the attempt is called, pulled or accepted. False when it is lost.
   * When it throws because the store did not answer in time, it is not done later.
   */
  extend(queue: QueueName, attempt: AttemptKey, duration: number): Promise<boolean>;

  /**
   * Leaves a job to its endpoint, which accepted it to complete it later: the attempt is held by its token alone for
   * `duration` ms from now, or until that is extended, and never stalls. False when it has lost the job.
   */
  accept(queue: QueueName, attempt: AttemptKey, duration: number): Promise<boolean>;

  /**
   * The call of an attempt that lost its job is over. The call for a job that is cancelled counts for the concurrency
   * of its queue until then, or until its lock would have run out: its replica may be gone.
   */
  endCall(queue: QueueName, attempt: AttemptKey): Promise<void>;

  /**
   * Some of the attempts of any queues that were accepted and whose time is over, to be ended by whoever asks; others
   * that ask meanwhile are told of them again only after a while.
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
   * A lock that ran out just now proves nothing yet; its holder has a few seconds to renew it. Every check
   * ends a wait for jobs that were left lying, as when the replica that was woken for them died.
   */
  recoverStalled(queue: QueueName, maxStalledCount: number): Promise<StalledCheck>;

  /**
   * The queues with active jobs that clients took themselves, whatever replica served them: no worker need look
   * after these. A queue is among them until a stalled check finds no active job in it.
   */
  pulledQueues(): Promise<readonly QueueName[]>;

  /**
   * Returns when a job may have become available, at `until` (epoch ms) or once aborted, whichever
   * comes first; of several replicas that wait, one at least. It may return early, so the caller
   * claims to find out. It never throws: while the store is away it returns at `until`.
   */
  waitForJobs(queue: QueueName, until: number, signal: AbortSignal): Promise<void>;
}
