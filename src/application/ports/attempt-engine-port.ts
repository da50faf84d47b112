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
import type { Natures } from './nature.ts';

/**
 * Claims jobs, holds them while they are processed and records how each attempt ended; used by the engine, which calls
 * endpoints and serves clients that pull. Every change is atomic and applies to all replicas. Methods throw DomainError
 * `store-unavailable` when the store cannot be reached; whether the change was made is then unknown, and repeating the
 * call with the same token is safe.
 *
 * An attempt holds its job from its claim until it ends or the stalled check gives its job away. The lock only proves
 * to the stalled check that its holder is alive: when the store is away for longer than locks last, no lock can be
 * renewed, but no attempt loses its work because of that.
 *
 * A store needs the following for this port and for the two other ports of attempts: for each job its state, a rank
 * within that state (the order of `claim`), and the token of the running attempt with the expiry of its lock; the
 * latest starts that a limiter counts; and until when the queue is held. A claim is then one transaction: count the
 * running attempts, check the hold and the starts by the clock of the store, take the first job by rank (in SQL: `FOR
 * UPDATE SKIP LOCKED`), set token and lock. Settling is one update of the job with matching id and token, in the same
 * transaction as the next claim. The stalled check marks running jobs with expired locks, and puts back those that were
 * already marked; nothing else takes a token away. `waitForJobs` only needs a notification per queue (`LISTEN`), since
 * a woken waiter makes a claim to find out.
 */
export interface AttemptEnginePort {
  /**
   * Claims the next job: due delayed jobs come first, in due order, then waiting ones, then prioritized ones from the
   * lowest number up.
   */
  claim(queue: QueueName, request: ClaimRequest): Promise<Claim>;
  /**
   * Claims jobs for one call, in the order of `claim`, until the next one may not join the call. Concurrency then
   * counts calls, identified by the tokens of running attempts, so adding jobs to a running call does not count again.
   */
  claimBatch(queue: QueueName, request: BatchRequest): Promise<ClaimedBatch>;

  /**
   * Remembers for `duration` ms that a call for several jobs is in progress, so that attempts of it are recorded with
   * the call even if its answer does not end them. Later calls with the same id replace it.
   */
  noteCall(queue: QueueName, call: CallOfSeveral, duration: number): Promise<void>;

  /** Forgets the call, which is over. */
  forgetCall(queue: QueueName, id: string): Promise<void>;

  /** Records how an attempt ended and, with `next`, claims again in the same step. */
  settle(
    queue: QueueName,
    attempt: AttemptKey,
    ending: AttemptEnding,
    next?: ClaimRequest,
  ): Promise<Settled>;

  /**
   * Puts a job back at the head of the queue, or after `delay` ms, as if the attempt had never started. Limiters still
   * count its start, unless it is `isUncounted`: a job that was claimed but is not called now.
   */
  release(
    queue: QueueName,
    attempt: AttemptKey,
    isUncounted?: boolean,
    delay?: number,
  ): Promise<void>;

  /** Renews the locks for `duration` ms and returns those of the attempts that had lost their jobs. */
  renew<Held extends AttemptKey>(
    queue: QueueName,
    attempts: readonly Held[],
    duration: number,
  ): Promise<readonly Held[]>;

  /**
   * Records that the call of an attempt that lost its job is over. The call for a cancelled job counts towards the
   * concurrency of its queue until then, or until its lock would have expired, since its replica may be gone.
   */
  endCall(queue: QueueName, attempt: AttemptKey): Promise<void>;

  /**
   * Returns when a job may have become available, at `until` (epoch ms) or once aborted, whichever comes first. If
   * several replicas wait, at least one returns. It may return early, so the caller must make a claim to find out. It
   * never throws: while the store is away, it returns at `until`.
   */
  waitForJobs(queue: QueueName, until: number, signal: AbortSignal): Promise<void>;
}

export const ATTEMPT_ENGINE_NATURES: Natures<AttemptEnginePort> = {
  claim: { is: 'starts', inPieces: true },
  claimBatch: { is: 'starts', inPieces: true },
  noteCall: 'notes',
  forgetCall: 'notes',
  settle: { is: 'starts', inPieces: true },
  release: 'changes',
  renew: 'notes',
  endCall: 'notes',
  waitForJobs: 'waits',
};
