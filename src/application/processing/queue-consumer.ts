import { isStoreUnavailable } from '../../domain/errors.ts';
import { DEFAULT_CONCURRENCY, DEFAULT_MAX_STALLED_COUNT } from '../../domain/worker-options.ts';
import type { Worker } from '../../domain/worker.ts';
import type { ClockPort } from '../ports/clock-port.ts';
import type {
  Attempt,
  AttemptEnding,
  Claim,
  ClaimRequest,
  JobConsumerPort,
} from '../ports/job-consumer-port.ts';
import type { LoggerPort } from '../ports/logger-port.ts';
import type { WebhookPort } from '../ports/webhook-port.ts';
import { runAttempt } from './attempt-runner.ts';
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

  constructor(worker: Worker, { jobs, webhook, clock, logger, settings }: ConsumerDependencies) {
    this.#worker = worker;
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
    const { concurrency = DEFAULT_CONCURRENCY, limiter, removeOnFail } = this.#worker.opts ?? {};
    if (this.#isStopped || running >= concurrency) return undefined;
    return {
      concurrency,
      lockDuration: this.#settings.lockDuration,
      ...(limiter && { limiter }),
      ...(removeOnFail && { removeOnFail }),
    };
  }

  async #takeJobs(): Promise<void> {
    while (!this.#isStopped) {
      const reconsider = this.#reconsider.signal;
      const request = this.#request(this.#running.size);
      if (request === undefined) await anyOf(reconsider, this.#slotFreed.signal);
      else await this.#takeJob(request, reconsider);
    }
  }

  async #takeJob(request: ClaimRequest, reconsider: AbortSignal): Promise<void> {
    try {
      const claim = this.#takeLastAnswer() ?? (await this.#claim(request));
      if (claim.kind !== 'attempt') await this.#waitAfter(claim, reconsider);
      else if (this.#isStopped) await this.#jobs.release(this.#queue, claim.attempt);
      else void this.#process(claim.attempt);
    } catch (error) {
      if (!isStoreUnavailable(error)) {
        this.#logger.error('Taking a job failed', { queue: this.#queue, error });
      }
      await this.#clock.sleep(STORE_PAUSE, reconsider);
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
  }

  async #processOne(attempt: Attempt): Promise<Attempt | undefined> {
    const call = new AbortController();
    this.#running.set(attempt, call);
    this.#locks.ensure(() => this.#running.size > 0);
    try {
      const ending = await runAttempt(this.#webhook, this.#worker, attempt, call.signal);
      return await this.#record(attempt, ending);
    } catch (error) {
      const job = attempt.job.id;
      this.#logger.error('Processing a job failed', { queue: this.#queue, job, error });
      return undefined;
    } finally {
      this.#running.delete(attempt);
    }
  }

  /**
   * Keeps trying while the store is away: the endpoint has done its work, and it shall count. An attempt
   * that was given up in the meantime has nothing to record.
   */
  async #record(attempt: Attempt, ending: AttemptEnding): Promise<Attempt | undefined> {
    let asked = false;
    while (this.#running.has(attempt)) {
      try {
        const worker = this.#worker;
        const request = this.#request(this.#running.size - 1);
        const settled = await this.#jobs.settle(this.#queue, attempt, ending, request);
        // Asked again after an answer that was lost, the store holds the ending already.
        this.#logEnding(attempt, ending, settled.held || asked);
        if (settled.next?.kind === 'attempt')
          return await this.#unlessStopped(settled.next.attempt);
        if (settled.next !== undefined && worker === this.#worker) this.#heard(settled.next);
        return undefined;
      } catch (error) {
        if (!isStoreUnavailable(error)) throw error;
        asked = true;
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

  #logEnding({ job }: Attempt, ending: AttemptEnding, held: boolean): void {
    const facts = { queue: this.#queue, job: job.id, attempt: job.attemptsMade + 1 };
    if (!held) this.#logger.warn('A job was given to somebody else, its result is dropped', facts);
    else if (ending.kind === 'completed') this.#logger.debug('Job completed', facts);
    else if (ending.kind === 'failed') {
      this.#logger.debug('Job failed', { ...facts, reason: ending.reason });
    } else {
      const { delay, reason } = ending;
      this.#logger.debug('Job will be retried', { ...facts, delay, reason });
    }
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
