import { isStoreUnavailable } from '../../domain/errors.ts';
import { verdictOn } from '../../domain/attempts/breaker.ts';
import { DEFAULT_CONCURRENCY } from '../../domain/workers/worker-options.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { Worker } from '../../domain/workers/worker.ts';
import { waitAfter, type NoJob } from '../running/wait-after.ts';
import type { AttemptObserver, AttemptResult } from '../ports/attempt-observer.ts';
import type { Attempt } from '../../domain/attempts/attempt.ts';
import { attemptFailed, type AttemptEnding } from '../../domain/attempts/ending.ts';
import type { AttemptPort } from '../ports/attempt-port.ts';
import type { Claim, ClaimRequest } from '../../domain/attempts/claim.ts';
import type { ClockPort } from '../ports/clock-port.ts';
import type { LoggerPort } from '../ports/logger-port.ts';
import type { SignalScope } from '../ports/replica-signals-port.ts';
import type { TokenPort } from '../ports/token-port.ts';
import { ReplicaShortageError, type WebhookPort } from '../ports/webhook-port.ts';
import { runAttempt } from './attempt-runner.ts';
import type { CallCapacity } from './call-capacity.ts';
import { anyOf, Notifier } from '../running/notifier.ts';
import { RunningAttempts, type RunningDependencies } from './running-attempts.ts';

export interface ConsumerDependencies extends RunningDependencies {
  readonly tokens: TokenPort;
  readonly webhook: WebhookPort;
  /** Shared by all consumers of the replica. */
  readonly capacity: CallCapacity;
  /**
   * Disables a registration of a worker, for all replicas; one that has taken its place is left alone. Resolves when
   * this replica has applied the change.
   *
   * @throws DomainError `store-unavailable`.
   */
  readonly disable: (worker: Worker, reason: string) => Promise<void>;
  /** Notifies all replicas that the breaker of a queue closed. */
  readonly notifyClosed: (queue: QueueName) => void;
}

/**
 * Longest wait for a job without asking, in milliseconds, which a timer can still do. Nothing depends on
 * it: for wake-ups that got lost there is the stalled check.
 */
const LONGEST_WAIT = 3_600_000;

/** Most claims that one consumer makes at the same time. */
const MOST_CLAIMS_AT_ONCE = 16;

/** Pause before the store is asked again after it was away, in milliseconds. */
const STORE_PAUSE = 500;

/**
 * Processes one queue on this replica: takes jobs as long as the worker's settings allow, calls its
 * endpoint and records how each attempt ended. It survives a store that is away, for any time.
 */
export class QueueConsumer {
  readonly #attempts: AttemptPort;
  readonly #tokens: TokenPort;
  readonly #webhook: WebhookPort;
  readonly #clock: ClockPort;
  readonly #logger: LoggerPort;
  readonly #observer: AttemptObserver;
  readonly #lockDuration: number;
  readonly #capacity: CallCapacity;
  readonly #disable: ConsumerDependencies['disable'];
  readonly #notifyClosed: ConsumerDependencies['notifyClosed'];
  readonly #running: RunningAttempts;
  readonly #stopped = new AbortController();
  /** Ends a wait for jobs when the settings or the last answer have changed. */
  readonly #reconsider = new Notifier();
  readonly #slotFreed = new Notifier();
  /** Tokens of claims that had no answer. The store may have given them jobs, so they are claimed with again. */
  readonly #unanswered: string[] = [];
  #worker: Worker;
  #work: Promise<void> | undefined;
  /**
   * The last answer of the store that there is no job, so that it is not asked for again. It is valid only until
   * another round begins or another claim is made.
   */
  #lastAnswer: NoJob | undefined;
  /** Counts how often the earlier answers of the store became invalid. */
  #round = 0;

  constructor(worker: Worker, dependencies: ConsumerDependencies) {
    const { attempts, tokens, webhook, clock, logger, observer, lockDuration } = dependencies;
    this.#worker = worker;
    this.#attempts = attempts;
    this.#tokens = tokens;
    this.#webhook = webhook;
    this.#clock = clock;
    this.#logger = logger;
    this.#observer = observer;
    this.#lockDuration = lockDuration;
    this.#capacity = dependencies.capacity;
    this.#disable = dependencies.disable;
    this.#notifyClosed = dependencies.notifyClosed;
    this.#running = new RunningAttempts(worker.queue, dependencies);
  }

  get worker(): Worker {
    return this.#worker;
  }

  start(): void {
    this.#work ??= this.#takeJobs();
  }

  /** Sets the settings for the next jobs; running calls finish under those that they started with. */
  replace(worker: Worker): void {
    this.#worker = worker;
    this.askAgain();
  }

  /** Asks for jobs now, whatever the store answered before. */
  askAgain(): void {
    this.#round += 1;
    this.#lastAnswer = undefined;
    this.#reconsider.notify();
  }

  /** Takes no more jobs. Resolves when the last running attempt has ended and is recorded. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    this.#reconsider.notify();
    await this.#work;
    while (this.#running.size > 0) await this.#slotFreed.notified;
    this.#running.end();
    this.#observer.left(this.#queue);
  }

  /**
   * Ends the running calls and puts their jobs back at the head of the queue, attempts unchanged. To be
   * called after {@link stop}, which it makes resolve.
   *
   * @returns how many calls it ended. The stalled check will find those jobs that cannot be put back.
   */
  async giveUp(): Promise<number> {
    const ended = await this.#running.giveUp();
    this.#slotFreed.notify();
    return ended;
  }

  /** Ends the calls whose job was cancelled, within the scope of the signal. */
  endCancelled(scope: SignalScope): Promise<void> {
    return this.#running.endCancelled(scope);
  }

  get #queue(): QueueName {
    return this.#worker.queue;
  }

  get #isStopped(): boolean {
    return this.#stopped.signal.aborted;
  }

  /** Whether the settings allow another claim when `running` attempts hold a slot. */
  #mayClaim(running: number): boolean {
    const { opts, disabled } = this.#worker;
    const { concurrency = DEFAULT_CONCURRENCY } = opts ?? {};
    return !this.#isStopped && disabled === undefined && running < concurrency;
  }

  #request(token: string, isRepeated: boolean): ClaimRequest {
    const { concurrency = DEFAULT_CONCURRENCY, limiter, breaker } = this.#worker.opts ?? {};
    return {
      token,
      concurrency,
      lockDuration: this.#lockDuration,
      ...(isRepeated && { isRepeated }),
      ...(limiter && { limiter }),
      ...(breaker && { hasBreaker: true }),
    };
  }

  /** Claims for twice as many slots at once as long as all of them get a job: a backlog is soon everywhere. */
  async #takeJobs(): Promise<void> {
    let atOnce = 1;
    while (!this.#isStopped) {
      const reconsider = this.#reconsider.signal;
      if (!this.#mayClaim(this.#running.size)) {
        await anyOf(reconsider, this.#slotFreed.signal);
        continue;
      }
      const slots = this.#takeSlots(atOnce);
      if (slots === 0) await this.#capacity.change(reconsider);
      else if (await this.#fill(slots, reconsider))
        atOnce = Math.min(2 * slots, MOST_CLAIMS_AT_ONCE);
      else atOnce = 1;
    }
  }

  /** Takes as many free slots of the replica as the settings allow. */
  #takeSlots(most: number): number {
    let slots = 0;
    while (slots < most && this.#mayClaim(this.#running.size + slots) && this.#capacity.take()) {
      slots += 1;
    }
    return slots;
  }

  /**
   * Claims a job for each of the slots.
   *
   * @returns whether all of them got one. If not, there may be a reason to ask again now.
   */
  async #fill(slots: number, reconsider: AbortSignal): Promise<boolean> {
    const claims = Array.from({ length: slots }, () => this.#claimInSlot());
    const results = await Promise.allSettled(claims);
    const failed = results.find((result) => result.status === 'rejected');
    if (failed !== undefined) {
      const error: unknown = failed.reason;
      if (!isStoreUnavailable(error)) {
        this.#logger.error('Taking a job failed', { queue: this.#queue, error });
      }
      await this.#clock.sleep(STORE_PAUSE, reconsider);
      return false;
    }
    for (const result of results) {
      if (result.status !== 'fulfilled' || result.value === undefined) continue;
      const ports = { attempts: this.#attempts, clock: this.#clock };
      await waitAfter(result.value, this.#queue, ports, LONGEST_WAIT, reconsider);
      return false;
    }
    return true;
  }

  /** Claims in a slot of the replica, and frees it again unless the claim brings a job. */
  async #claimInSlot(): Promise<NoJob | undefined> {
    let processes = false;
    try {
      const claim = this.#takeLastAnswer() ?? (await this.#claim());
      if (claim.kind !== 'attempt') return claim;
      processes = !this.#isStopped;
      if (processes) void this.#process(claim.attempt);
      else await this.#attempts.release(this.#queue, claim.attempt);
      return undefined;
    } finally {
      if (!processes) this.#capacity.free();
    }
  }

  #takeLastAnswer(): NoJob | undefined {
    if (this.#unanswered.length > 0) return undefined;
    const answer = this.#lastAnswer;
    this.#lastAnswer = undefined;
    return answer;
  }

  async #claim(): Promise<Claim> {
    const unanswered = this.#unanswered.pop();
    const token = unanswered ?? this.#tokens.draw();
    try {
      const request = this.#request(token, unanswered !== undefined);
      const claim = await this.#attempts.claim(this.#queue, request);
      this.#lastAnswer = undefined;
      return claim;
    } catch (error) {
      this.#unanswered.push(token);
      throw error;
    }
  }

  /** Runs an attempt and its successors in the same slot, each taken when the one before is recorded. */
  async #process(first: Attempt): Promise<void> {
    let attempt: Attempt | undefined = first;
    while (attempt !== undefined) attempt = await this.#processOne(attempt);
    this.#slotFreed.notify();
    this.#capacity.free();
  }

  async #processOne(attempt: Attempt): Promise<Attempt | undefined> {
    const worker = this.#worker;
    const ended = this.#running.add(attempt);
    this.#observer.started(this.#queue, attempt);
    const startedAt = this.#clock.now();
    try {
      if (this.#running.isLate(attempt) && !(await this.#running.holds(attempt))) return undefined;
      const result = await runAttempt(this.#webhook, worker, attempt, ended, this.#clock);
      this.#capacity.succeeded();
      if ('acceptedFor' in result) {
        await this.#leaveToEndpoint(attempt, result.acceptedFor, this.#clock.now() - startedAt);
        return;
      }
      if (result.disables !== undefined) await this.#disableFor(attempt, worker, result.disables);
      return await this.#record(attempt, worker, result, this.#clock.now() - startedAt);
    } catch (error) {
      if (error instanceof ReplicaShortageError) {
        await this.#putBack(attempt, error);
        return;
      }
      return await this.#recordDefect(attempt, worker, error, this.#clock.now() - startedAt);
    } finally {
      if (this.#running.hasLost(attempt)) void this.#endCall(attempt);
      this.#running.remove(attempt);
    }
  }

  /**
   * The endpoint has done its work, so its result must be recorded, unless the attempt was given up in the meantime.
   */
  #record(
    attempt: Attempt,
    worker: Worker,
    result: AttemptResult,
    duration: number,
  ): Promise<Attempt | undefined> {
    const token = this.#tokens.draw();
    let mayHaveClaimed = false;
    return this.#untilStoreAnswers(attempt, async (isRepeated) => {
      const round = this.#round;
      const claims = this.#capacity.allowsNext && this.#mayClaim(this.#running.size - 1);
      const next = claims ? this.#request(token, false) : undefined;
      mayHaveClaimed ||= claims;
      const ending = this.#judged(result.ending, worker);
      const settled = await this.#attempts.settle(this.#queue, attempt, ending, next);
      if (settled.breaker === 'closed') this.#notifyClosed(this.#queue);
      // When the call is repeated after a lost answer, the store has the ending already.
      if (settled.held || isRepeated) {
        const { beginsHold = false, breaker } = settled;
        this.#observer.ended({ attempt, worker, result, duration, beginsHold, breaker });
      } else this.#hasLost(attempt);
      if (settled.next?.kind === 'attempt') return this.#unlessStopped(settled.next.attempt);
      if (isRepeated && !settled.held && mayHaveClaimed) this.#claimAgain(token);
      else if (settled.next !== undefined && round === this.#round) this.#update(settled.next);
      return undefined;
    });
  }

  /** Handles the end of a call when its attempt has lost its job. */
  #hasLost(attempt: Attempt): void {
    void this.#endCall(attempt);
    void this.#reportLost(attempt);
  }

  /** If this fails, the store frees the place when the lock would have run out. */
  async #endCall(attempt: Attempt): Promise<void> {
    try {
      await this.#attempts.endCall(this.#queue, attempt);
    } catch (error) {
      const facts = { queue: this.#queue, job: attempt.jobId };
      this.#logger.debug('The place of a call could not be freed', { ...facts, error });
    }
  }

  /** An endpoint may report the end of its attempt before it answers: then its answer is ignored. */
  async #reportLost(attempt: Attempt): Promise<void> {
    const reported = this.#attempts.wasReported(this.#queue, attempt);
    if (!(await reported.catch(() => false))) this.#observer.lost(this.#queue, attempt);
  }

  /** Calls of an earlier registration are no evidence about the current endpoint. */
  #judged(ending: AttemptEnding, { opts, registration }: Worker): AttemptEnding {
    if (ending.kind === 'deferred' || ending.call === undefined) return ending;
    const isCurrent = registration === this.#worker.registration;
    if (opts?.breaker === undefined || !isCurrent) return ending;
    const reason = ending.kind === 'completed' ? '' : ending.reason;
    return { ...ending, verdict: verdictOn(ending.call, reason, opts.breaker) };
  }

  /**
   * An attempt that met an unexpected error has failed: left alone, its job would stall and its endpoint
   * be called again. If not even that can be recorded, its lock runs out, as when a replica dies.
   */
  async #recordDefect(
    attempt: Attempt,
    worker: Worker,
    error: unknown,
    duration: number,
  ): Promise<Attempt | undefined> {
    const facts = { queue: this.#queue, job: attempt.jobId };
    this.#logger.error('An attempt ended in an unexpected error', { ...facts, error });
    const reason = `Unexpected error: ${error instanceof Error ? error.name : 'unknown'}`;
    try {
      const call = { outcome: 'failed' } as const;
      const ending = attemptFailed(
        worker.opts?.removeOnFail,
        attempt,
        reason,
        call,
        this.#clock.now(),
      );
      return await this.#record(attempt, worker, { ending }, duration);
    } catch {
      return undefined;
    }
  }

  /** Before the attempt is recorded: no job may be claimed in its place. */
  async #disableFor(attempt: Attempt, worker: Worker, reason: string): Promise<void> {
    try {
      await this.#untilStoreAnswers(attempt, () => this.#disable(worker, reason));
    } catch (error) {
      this.#logger.error('A worker could not be disabled', { queue: this.#queue, reason, error });
    }
  }

  /** The endpoint holds the job from now on, and this replica keeps nothing of it. */
  async #leaveToEndpoint(attempt: Attempt, bound: number, duration: number): Promise<void> {
    this.#running.endRenewal(attempt);
    await this.#untilStoreAnswers(attempt, async () => {
      if (await this.#attempts.accept(this.#queue, attempt, bound)) {
        this.#observer.accepted(this.#queue, attempt, duration);
      } else this.#hasLost(attempt);
    });
  }

  /** The call was never made: the job goes back as if it had not been taken. */
  async #putBack(attempt: Attempt, { message }: ReplicaShortageError): Promise<undefined> {
    this.#capacity.ranShort(message);
    try {
      await this.#untilStoreAnswers(attempt, () => this.#attempts.release(this.#queue, attempt));
    } catch (error) {
      const facts = { queue: this.#queue, job: attempt.jobId };
      this.#logger.error('A job could not be put back', { ...facts, error });
    }
  }

  /** Keeps trying while the store is away, unless the attempt is given up. */
  async #untilStoreAnswers<T>(
    attempt: Attempt,
    work: (isRepeated: boolean) => Promise<T>,
  ): Promise<T | undefined> {
    for (let isRepeated = false; this.#running.has(attempt); isRepeated = true) {
      try {
        return await work(isRepeated);
      } catch (error) {
        if (!isStoreUnavailable(error)) throw error;
        await this.#clock.sleep(STORE_PAUSE);
      }
    }
    return undefined;
  }

  /** The store may have given a job to that token, in an answer that was lost. */
  #claimAgain(token: string): void {
    this.#unanswered.push(token);
    this.#reconsider.notify();
  }

  /** A job that was claimed before the stop and comes after it is put back. */
  async #unlessStopped(attempt: Attempt): Promise<Attempt | undefined> {
    if (!this.#isStopped) return attempt;
    await this.#attempts.release(this.#queue, attempt);
    return undefined;
  }

  /** A waiter may hold an outdated answer and must claim earlier. */
  #update(answer: NoJob): void {
    this.#lastAnswer = answer;
    this.#reconsider.notify();
  }
}
