import type { OverdueAttempt } from '../../domain/attempts/acceptance.ts';
import type { ReportOutcome } from '../../domain/attempts/attempt-report.ts';
import type { AttemptKey } from '../../domain/attempts/attempt.ts';
import type { Claim, ClaimRequest } from '../../domain/attempts/claim.ts';
import type { AttemptEnding, Settled } from '../../domain/attempts/ending.ts';
import type { StalledCheck } from '../../domain/attempts/stalled.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { Json } from '../../domain/values/json.ts';

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
