import { isStoreUnavailable } from '../../domain/errors.ts';
import { DEFAULT_CONCURRENCY, DEFAULT_MAX_STALLED_COUNT } from '../../domain/worker-options.ts';
import type { Worker } from '../../domain/worker.ts';
import type { ClockPort } from '../ports/clock-port.ts';
import type { Attempt, Claim, ClaimRequest, JobConsumerPort } from '../ports/job-consumer-port.ts';
import type { LoggerPort } from '../ports/logger-port.ts';
import { ReplicaShortageError, type WebhookPort } from '../ports/webhook-port.ts';
import { attemptFailed, type AttemptResult, runAttempt } from './attempt-runner.ts';
import type { CallCapacity } from './call-capacity.ts';
import { JobLog } from './job-log.ts';
import { LockRenewal } from './lock-renewal.ts';
import { nextTurn, TURN_GROUPS } from './next-turn.ts';
import { anyOf, Notifier } from './notifier.ts';
import type { ProcessingSettings } from './processing-settings.ts';

export interface ConsumerDependencies {
  readonly jobs: JobConsumerPort;
  readonly webhook: WebhookPort;
  readonly clock: ClockPort;
  readonly logger: LoggerPort;
  readonly settings: ProcessingSettings;
  /** Shared by all consumers of the replica. */
  readonly capacity: CallCapacity;
}

/** A claim that brought no job. */
type NoJob = Exclude<Claim, { kind: 'attempt' }>;

/**
 * Longest wait for a job without asking, in milliseconds, which a timer can still do. Nothing depends on
 * it: for wake-ups that got lost there is the stalled check.
 */
const LONGEST_WAIT = 3_600_000;

/**
 * How long replicas have to renew the locks of their jobs once somebody saw them run out, in
 * milliseconds: the time in which all of them find a store that was away for long.
 */
const GRACE = 5000;

/** Pause before the store is asked again after it was away, in milliseconds. */
const STORE_PAUSE = 500;

/**
 * Processes one queue on this replica: takes jobs as long as the worker's settings allow, calls its
 * endpoint and records how each attempt ended. It survives a store that is away, for any time.
 */
export class QueueConsumer {
  readonly #jobs: JobConsumerPort;
  readonly #webhook: WebhookPort;
  readonly #clock: ClockPort;
  readonly #logger: LoggerPort;
  readonly #settings: ProcessingSettings;
  readonly #capacity: CallCapacity;
  readonly #log: JobLog;
  readonly #locks: LockRenewal;
  /** The attempts this replica holds, each with what ends its call. */
  readonly #running = new Map<Attempt, AbortController>();
  readonly #stopped = new AbortController();
  /** Tells a wait for jobs that what it waits for has changed: the settings, or the last answer. */
  readonly #reconsider = new Notifier();
  readonly #slotFreed = new Notifier();
  readonly #group = Math.floor(Math.random() * TURN_GROUPS);
  #worker: Worker;
  #work: Promise<unknown> | undefined;
  /**
   * What the last slot that ran dry was told, so that the same is not asked again. It holds only until
   * the settings change or another claim is made.
   */
  #lastAnswer: NoJob | undefined;

  constructor(worker: Worker, dependencies: ConsumerDependencies) {
    const { jobs, webhook, clock, logger, settings, capacity } = dependencies;
    this.#worker = worker;
    this.#capacity = capacity;
    this.#log = new JobLog(worker.queue, logger, clock);
    this.#jobs = jobs;
    this.#webhook = webhook;
    this.#clock = clock;
    this.#logger = logger;
    this.#settings = settings;
    this.#locks = new LockRenewal(clock, settings.lockDuration, () => this.#renewLocks());
  }

  get worker(): Worker {
    return this.#worker;
  }

  start(): void {
    this.#work ??= Promise.all([this.#takeJobs(), this.#checkStalled()]);
  }

  /** New settings for the next jobs; calls that run finish under those they started with. */
  replace(worker: Worker): void {
    this.#worker = worker;
    this.#lastAnswer = undefined;
    this.#reconsider.notify();
  }

  /** Takes no more jobs. Resolves when the last running attempt has ended and is recorded. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    this.#reconsider.notify();
    await this.#work;
    while (this.#running.size > 0) await this.#slotFreed.notified;
    this.#locks.end();
    this.#log.flush();
  }

  /**
   * Ends the running calls and puts their jobs back at the head of the queue, attempts unchanged. To be
   * called after {@link stop}, which it makes resolve.
   *
   * @returns how many calls it ended. The stalled check will find those jobs that cannot be put back.
   */
  async giveUp(): Promise<number> {
    const attempts = [...this.#running];
    const releases = attempts.map(async ([attempt, call]) => {
      this.#running.delete(attempt);
      call.abort();
      await this.#jobs.release(this.#queue, attempt);
    });
    const results = await Promise.allSettled(releases);
    this.#slotFreed.notify();
    const lost = results.filter(({ status }) => status === 'rejected').length;
    if (attempts.length > 0) {
      const released = attempts.length - lost;
      this.#logger.warn('Running jobs were given up', { queue: this.#queue, released, lost });
    }
    return attempts.length;
  }

  get #queue(): string {
    return this.#worker.queue;
  }

  get #isStopped(): boolean {
    return this.#stopped.signal.aborted;
  }

  /** The claim that the settings allow now, when `running` attempts hold a slot; else undefined. */
  #request(running: number): ClaimRequest | undefined {
    const { concurrency = DEFAULT_CONCURRENCY, limiter } = this.#worker.opts ?? {};
    if (this.#isStopped || running >= concurrency) return undefined;
    return {
      concurrency,
      lockDuration: this.#settings.lockDuration,
      ...(limiter && { limiter }),
    };
  }

  async #takeJobs(): Promise<void> {
    while (!this.#isStopped) {
      const reconsider = this.#reconsider.signal;
      const request = this.#request(this.#running.size);
      if (request === undefined) await anyOf(reconsider, this.#slotFreed.signal);
      else if (!this.#capacity.take()) await this.#capacity.change(reconsider);
      else await this.#takeJob(request, reconsider);
    }
  }

  async #takeJob(request: ClaimRequest, reconsider: AbortSignal): Promise<void> {
    try {
      const claim = await this.#claimInSlot(request);
      if (claim !== undefined) await this.#waitAfter(claim, reconsider);
    } catch (error) {
      if (!isStoreUnavailable(error)) {
        this.#logger.error('Taking a job failed', { queue: this.#queue, error });
      }
      await this.#clock.sleep(STORE_PAUSE, reconsider);
    }
  }

  /** Claims in a slot of the replica's, and frees it again unless there is a job to process in it. */
  async #claimInSlot(request: ClaimRequest): Promise<NoJob | undefined> {
    let processes = false;
    try {
      const claim = this.#takeLastAnswer() ?? (await this.#claim(request));
      if (claim.kind !== 'attempt') return claim;
      processes = !this.#isStopped;
      if (processes) void this.#process(claim.attempt);
      else await this.#jobs.release(this.#queue, claim.attempt);
      return undefined;
    } finally {
      if (!processes) this.#capacity.free();
    }
  }

  #takeLastAnswer(): NoJob | undefined {
    const answer = this.#lastAnswer;
    this.#lastAnswer = undefined;
    return answer;
  }

  async #claim(request: ClaimRequest): Promise<Claim> {
    const claim = await this.#jobs.claim(this.#queue, request);
    this.#lastAnswer = undefined;
    return claim;
  }

  async #waitAfter(claim: NoJob, reconsider: AbortSignal): Promise<void> {
    const latest = this.#clock.now() + LONGEST_WAIT;
    if (claim.kind === 'limited') {
      await this.#clock.sleep(Math.min(claim.until, latest) - this.#clock.now(), reconsider);
    } else {
      const until = Math.min(claim.nextAt ?? latest, latest);
      await this.#jobs.waitForJobs(this.#queue, until, reconsider);
    }
  }

  /** Runs an attempt and those that follow it in its slot, each taken when the one before is recorded. */
  async #process(first: Attempt): Promise<void> {
    let attempt: Attempt | undefined = first;
    while (attempt !== undefined) attempt = await this.#processOne(attempt);
    this.#slotFreed.notify();
    this.#capacity.free();
  }

  async #processOne(attempt: Attempt): Promise<Attempt | undefined> {
    const worker = this.#worker;
    const call = new AbortController();
    this.#running.set(attempt, call);
    this.#locks.ensure(() => this.#running.size > 0);
    try {
      const result = await runAttempt(this.#webhook, worker, attempt, call.signal);
      this.#capacity.succeeded();
      return await this.#record(attempt, worker, result);
    } catch (error) {
      if (error instanceof ReplicaShortageError) {
        await this.#putBack(attempt, error);
        return;
      }
      return await this.#recordDefect(attempt, worker, error);
    } finally {
      this.#running.delete(attempt);
    }
  }

  /**
   * The endpoint has done its work, and it shall count. An attempt that was given up in the meantime has
   * nothing to record.
   */
  #record(attempt: Attempt, worker: Worker, result: AttemptResult): Promise<Attempt | undefined> {
    let asked = false;
    return this.#untilStoreAnswers(attempt, async () => {
      const settings = this.#worker;
      const goesOn = this.#capacity.allowsNext;
      const request = goesOn ? this.#request(this.#running.size - 1) : undefined;
      const again = asked;
      asked = true;
      const settled = await this.#jobs.settle(this.#queue, attempt, result.ending, request);
      // Asked again after an answer that was lost, the store holds the ending already.
      this.#log.ended(attempt, worker, result, settled.held || again);
      if (settled.next?.kind === 'attempt') return this.#unlessStopped(settled.next.attempt);
      if (settled.next !== undefined && settings === this.#worker) this.#heard(settled.next);
      return undefined;
    });
  }

  /**
   * An attempt that met an unexpected error has failed: left alone, its job would stall and its endpoint
   * be called again. If not even that can be recorded, its lock runs out, as when a replica dies.
   */
  async #recordDefect(
    attempt: Attempt,
    worker: Worker,
    error: unknown,
  ): Promise<Attempt | undefined> {
    const facts = { queue: this.#queue, job: attempt.job.id };
    this.#logger.error('An attempt ended in an unexpected error', { ...facts, error });
    const reason = `Unexpected error: ${error instanceof Error ? error.name : 'unknown'}`;
    try {
      const ending = attemptFailed(worker, attempt, reason);
      return await this.#record(attempt, worker, { ending });
    } catch {
      return undefined;
    }
  }

  /** The call was never made: the job goes back as if it had not been taken. */
  async #putBack(attempt: Attempt, { message }: ReplicaShortageError): Promise<undefined> {
    this.#capacity.ranShort(message);
    try {
      await this.#untilStoreAnswers(attempt, () => this.#jobs.release(this.#queue, attempt));
    } catch (error) {
      const facts = { queue: this.#queue, job: attempt.job.id };
      this.#logger.error('A job could not be put back', { ...facts, error });
    }
  }

  /** Keeps trying while the store is away, unless the attempt is given up. */
  async #untilStoreAnswers<T>(attempt: Attempt, work: () => Promise<T>): Promise<T | undefined> {
    while (this.#running.has(attempt)) {
      try {
        return await work();
      } catch (error) {
        if (!isStoreUnavailable(error)) throw error;
        await this.#clock.sleep(STORE_PAUSE);
      }
    }
    return undefined;
  }

  /** A job that was claimed before the stop and comes after it is put back. */
  async #unlessStopped(attempt: Attempt): Promise<Attempt | undefined> {
    if (!this.#isStopped) return attempt;
    await this.#jobs.release(this.#queue, attempt);
    return undefined;
  }

  /** Whoever waits for jobs was told something older, and may have to claim sooner than he thinks. */
  #heard(answer: NoJob): void {
    this.#lastAnswer = answer;
    this.#reconsider.notify();
  }

  /** A job that an attempt lost belongs to somebody else now: the call ends and counts for nothing. */
  async #renewLocks(): Promise<boolean> {
    const attempts = [...this.#running.keys()];
    const { lockDuration } = this.#settings;
    try {
      for (const lost of await this.#jobs.extendLocks(this.#queue, attempts, lockDuration)) {
        const call = this.#running.get(lost);
        if (call === undefined) continue;
        this.#running.delete(lost);
        const job = lost.job.id;
        this.#logger.warn('A running job was given to somebody else', { queue: this.#queue, job });
        call.abort();
      }
      return true;
    } catch (error) {
      this.#logger.debug('Locks could not be renewed', { queue: this.#queue, error });
      return false;
    }
  }

  async #checkStalled(): Promise<void> {
    const { stalledInterval } = this.#settings;
    const grace = Math.min(GRACE, stalledInterval);
    while (!this.#isStopped) {
      const now = this.#clock.now();
      const interval = Math.max(grace, nextTurn(now, stalledInterval, this.#group) - now);
      let pause = interval;
      try {
        const { maxStalledCount = DEFAULT_MAX_STALLED_COUNT } = this.#worker.opts ?? {};
        const request = { maxStalledCount, interval, grace };
        const { stalled, suspected } = await this.#jobs.recoverStalled(this.#queue, request);
        for (const job of stalled) this.#logger.warn('Job stalled', { queue: this.#queue, job });
        if (suspected) pause = grace;
      } catch (error) {
        if (!isStoreUnavailable(error)) {
          this.#logger.error('The stalled check failed', { queue: this.#queue, error });
        }
      }
      await this.#clock.sleep(pause, this.#stopped.signal);
    }
  }
}
