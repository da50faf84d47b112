import type { CallOfSeveral } from '../../domain/attempts/attempt-record.ts';
import type { AttemptKey } from '../../domain/attempts/attempt.ts';
import type {
  BatchRequest,
  Claim,
  ClaimRequest,
  ClaimedBatch,
} from '../../domain/attempts/claim.ts';
import type { AttemptEnding, Settled } from '../../domain/attempts/ending.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';

/**
 * Claims jobs, keeps them while they are processed and records how each attempt ended: for the engine, which calls
 * endpoints and serves clients that pull. Every change is atomic and counts for all replicas. Methods throw DomainError
 * `store-unavailable` when the store cannot be reached; the change may then have been made or not, and repeating the
 * call with the same token is safe.
 *
 * An attempt holds its job from its claim until it ends or the stalled check gives its job away. The lock
 * only proves to the stalled check that its holder is alive: when the store is away for longer than locks last, none
 * can be renewed, and no attempt loses its work for that.
 *
 * What a store needs for this and for the two other ports of attempts: for each job its state, a rank within that state
 * (the order of `claim`), and the token of the running attempt with the time when its lock runs out; the times of a
 * limiter's last starts; until when the queue is held. A claim is then one transaction: count the running attempts,
 * look at the hold and the starts, by the clock of the store, take the first job by rank (in SQL: `FOR UPDATE SKIP
 * LOCKED`), set token and lock. To settle is one update of the job whose id and token match, in the same transaction as
 * the next claim. The stalled check marks running jobs whose lock ran out, and puts those back that were marked before;
 * it alone takes a token away. `waitForJobs` needs no more than a notification for each queue (`LISTEN`), since a woken
 * waiter claims to find out.
 */
export interface AttemptEnginePort {
  /**
   * Takes the next job: delayed ones that fell due first, in due order, then waiting ones, then
   * prioritized ones from the lowest number up.
   */
  claim(queue: QueueName, request: ClaimRequest): Promise<Claim>;
  /**
   * Takes jobs for one call, in the order of `claim`, until one may not join it. The concurrency counts calls then, by
   * the tokens of what runs, and a call that runs already takes more without counting again.
   */
  claimBatch(queue: QueueName, request: BatchRequest): Promise<ClaimedBatch>;

  /**
   * Remembers for `duration` ms that a call with several jobs is being made, so that attempts of it go on record with it
   * although they end otherwise than by its answer. Later calls with the same id take its place.
   */
  noteCall(queue: QueueName, call: CallOfSeveral, duration: number): Promise<void>;

  /** The call is over. */
  forgetCall(queue: QueueName, id: string): Promise<void>;

  /** Records how an attempt ended and, with `next`, claims again in the same step. */
  settle(
    queue: QueueName,
    attempt: AttemptKey,
    ending: AttemptEnding,
    next?: ClaimRequest,
  ): Promise<Settled>;

  /**
   * Puts a job back at the head of the queue as if the attempt had never started. The limiters count its start, unless
   * it `isUncounted`: for a job that was claimed for a call and had no room in it.
   */
  release(queue: QueueName, attempt: AttemptKey, isUncounted?: boolean): Promise<void>;

  /** Renews the locks for `duration` ms and returns those of the attempts that had lost their jobs. */
  renew<Held extends AttemptKey>(
    queue: QueueName,
    attempts: readonly Held[],
    duration: number,
  ): Promise<readonly Held[]>;

  /**
   * Records that the call of an attempt that lost its job is over. The call for a cancelled job counts for the
   * concurrency of its queue until then, or until its lock would have run out: its replica may be gone.
   */
  endCall(queue: QueueName, attempt: AttemptKey): Promise<void>;

  /**
   * Returns when a job may have become available, at `until` (epoch ms) or once aborted, whichever
   * comes first; of several replicas that wait, one at least. It may return early, so the caller
   * claims to find out. It never throws: while the store is away it returns at `until`.
   */
  waitForJobs(queue: QueueName, until: number, signal: AbortSignal): Promise<void>;
}
