import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { AttemptObserver } from '../ports/attempt-observer.ts';
import type { Attempt } from '../../domain/attempts/attempt.ts';
import type { AttemptEnginePort } from '../ports/attempt-engine-port.ts';
import type { AttemptHolderPort } from '../ports/attempt-holder-port.ts';
import { Cancellation } from '../../domain/calls/cancellation.ts';
import type { ClockPort } from '../ports/clock-port.ts';
import type { CommonPorts } from '../ports/common-ports.ts';
import type { LoggerPort } from '../ports/logger-port.ts';
import type { SignalScope } from '../ports/replica-signals-port.ts';
import { giveBack } from '../attempts/give-back.ts';
import { STORE_PAUSE } from '../running/until-store-answers.ts';
import { LockRenewal } from './lock-renewal.ts';

export interface RunningDependencies extends Pick<
  CommonPorts,
  'attempts' | 'holders' | 'clock' | 'logger' | 'observer'
> {
  /** How long (ms) an attempt is safe from the stalled check without a renewal of its lock. */
  readonly lockDuration: number;
  /** How often (ms) locks are renewed. */
  readonly renewalInterval: number;
}

/** Reports why an attempt lost its job. */
type LossReport = (attempt: Attempt) => void;

/** The attempts of one queue that this replica holds, each with the cancellation of its call. Renews their locks. */
export class RunningAttempts {
  readonly #queue: QueueName;
  readonly #attempts: AttemptEnginePort;
  readonly #holders: AttemptHolderPort;
  readonly #logger: LoggerPort;
  readonly #clock: ClockPort;
  readonly #observer: AttemptObserver;
  readonly #lockDuration: number;
  readonly #renewalInterval: number;
  readonly #locks: LockRenewal;
  readonly #calls = new Map<Attempt, Cancellation>();
  /** The number of running attempts of each call for several jobs. */
  readonly #shared = new Map<Cancellation, number>();
  readonly #unrenewed = new Set<Attempt>();
  /** Attempts that have lost their jobs although their calls are still running. */
  readonly #lost = new Set<Attempt>();
  /**
   * Attempts whose end is being recorded, each with how its loss is reported once one is found. Only the step that
   * records the end knows whether it ended the attempt or came too late.
   */
  readonly #ending = new Map<Attempt, LossReport | undefined>();

  constructor(queue: QueueName, dependencies: RunningDependencies) {
    const { attempts, clock, logger, lockDuration, renewalInterval } = dependencies;
    this.#queue = queue;
    this.#attempts = attempts;
    this.#holders = dependencies.holders;
    this.#logger = logger;
    this.#clock = clock;
    this.#observer = dependencies.observer;
    this.#lockDuration = lockDuration;
    this.#renewalInterval = renewalInterval;
    this.#locks = new LockRenewal(clock, renewalInterval, () =>
      this.#renew([...this.#calls.keys()], this.#reportLost),
    );
  }

  /** The number of running calls. */
  get size(): number {
    let calls = this.#calls.size;
    for (const attempts of this.#shared.values()) calls -= attempts - 1;
    return calls;
  }

  has(attempt: Attempt): boolean {
    return this.#calls.has(attempt);
  }

  /** Whether the store has reported that the attempt lost its job. */
  hasLost(attempt: Attempt): boolean {
    return this.#lost.has(attempt);
  }

  /**
   * Whether the claim is so old that the lock may have expired: this process was suspended, or the answer to the claim
   * was late.
   */
  isLate({ job }: Attempt): boolean {
    const now = this.#clock.now();
    return now - (job.processedOn ?? now) > this.#renewalInterval;
  }

  /** Renews the lock of an attempt as soon as the store answers. @returns whether the attempt holds its job. */
  async holds(attempt: Attempt): Promise<boolean> {
    while (this.has(attempt) && !(await this.#renew([attempt], this.#reportLost))) {
      await this.#clock.sleep(STORE_PAUSE);
    }
    return this.has(attempt);
  }

  /** Adds an attempt to the attempts of a call, which ends when none of them holds its job. */
  addTo(call: Cancellation, attempt: Attempt): void {
    this.#calls.set(attempt, call);
    this.#shared.set(call, (this.#shared.get(call) ?? 0) + 1);
    this.#locks.ensure(() => this.#calls.size > 0);
  }

  /** @returns the cancellation that ends its call when the attempt is given up or loses its job. */
  add(attempt: Attempt): Cancellation {
    const call = new Cancellation();
    this.#calls.set(attempt, call);
    this.#locks.ensure(() => this.#calls.size > 0);
    return call;
  }

  remove(attempt: Attempt): void {
    this.#leaveCall(attempt);
    this.#unrenewed.delete(attempt);
    this.#lost.delete(attempt);
    this.#ending.delete(attempt);
  }

  /** Leaves it to the step that records the end of the attempt whether it still held its job. */
  beginEnding(attempt: Attempt): void {
    if (!this.#ending.has(attempt)) this.#ending.set(attempt, undefined);
  }

  /** Reports the loss of an attempt whose end could not be recorded, because it no longer held its job. */
  async lostAtEnd(attempt: Attempt): Promise<void> {
    const report = this.#ending.get(attempt) ?? this.#reportLost;
    await this.#reportLoss(attempt, report).catch(() => {
      report(attempt);
    });
  }

  /** Stops renewing the lock, because the job now has another holder. */
  endRenewal(attempt: Attempt): void {
    this.#unrenewed.add(attempt);
  }

  /** Stops renewing all locks. */
  end(): void {
    this.#locks.end();
  }

  /**
   * Ends the running calls and puts their jobs back at the head of the queue, attempts unchanged.
   *
   * @returns how many calls it ended. The stalled check finds the jobs that cannot be put back.
   */
  async giveUp(): Promise<number> {
    const calls = [...this.#calls];
    this.#calls.clear();
    this.#shared.clear();
    for (const [, call] of calls) call.request();
    const attempts = calls.map(([attempt]) => attempt);
    const lost = await giveBack(this.#attempts, this.#queue, attempts);
    if (calls.length > 0) {
      const released = calls.length - lost;
      this.#logger.warn('Running jobs were given up', { queue: this.#queue, released, lost });
    }
    return calls.length;
  }

  /**
   * Ends the calls of cancelled jobs, within the scope of the signal. The store decides which jobs those are, since a
   * late signal may arrive when the job is running again. If the store is away, the next renewal of the locks finds
   * them.
   */
  async endCancelled({ queue, jobId }: SignalScope): Promise<void> {
    const held = [...this.#calls.keys()];
    const concerned = jobId === undefined ? held : held.filter((each) => each.jobId === jobId);
    if (concerned.length === 0) return;
    await this.#renew(concerned, queue === undefined ? this.#reportLost : this.#reportCancelled);
  }

  /** @returns whether the attempt was the last one of its call. */
  #leaveCall(attempt: Attempt): boolean {
    const call = this.#calls.get(attempt);
    this.#calls.delete(attempt);
    const attempts = call && this.#shared.get(call);
    if (call === undefined || attempts === undefined) return true;
    if (attempts > 1) this.#shared.set(call, attempts - 1);
    else this.#shared.delete(call);
    return attempts === 1;
  }

  readonly #reportLost: LossReport = (attempt) => {
    this.#observer.observe({ kind: 'lost', queue: this.#queue, attempt });
  };

  readonly #reportCancelled: LossReport = (attempt) => {
    const now = this.#clock.now();
    const { processedOn = now } = attempt.job;
    const duration = now - processedOn;
    this.#observer.observe({ kind: 'cancelled', queue: this.#queue, attempt, duration });
  };

  /** An endpoint may report the end of its attempt before it answers; the answer is then ignored. */
  async #reportLoss(attempt: Attempt, report: LossReport): Promise<void> {
    if (!(await this.#holders.wasReported(this.#queue, attempt))) report(attempt);
  }

  /** Ends the calls of attempts that lost their jobs; their results are ignored. */
  async #renew(running: readonly Attempt[], report: LossReport): Promise<boolean> {
    const held = running.filter((each) => !this.#unrenewed.has(each));
    if (held.length === 0) return true;
    try {
      for (const lost of await this.#attempts.renew(this.#queue, held, this.#lockDuration)) {
        const call = this.#calls.get(lost);
        if (call === undefined) continue;
        if (this.#ending.has(lost)) {
          this.#ending.set(lost, this.#ending.get(lost) ?? report);
          continue;
        }
        this.#lost.add(lost);
        if (this.#leaveCall(lost)) call.request();
        await this.#reportLoss(lost, report);
      }
      return true;
    } catch (error) {
      this.#logger.debug('Locks could not be renewed', { queue: this.#queue, error });
      return false;
    }
  }
}
