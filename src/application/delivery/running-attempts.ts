import type { QueueName } from '../../domain/queue-name.ts';
import type { AttemptObserver } from '../ports/attempt-observer.ts';
import type { Attempt, AttemptPort } from '../ports/attempt-port.ts';
import { Cancellation } from '../ports/cancellation.ts';
import type { ClockPort } from '../ports/clock-port.ts';
import type { LoggerPort } from '../ports/logger-port.ts';
import { LockRenewal } from './lock-renewal.ts';

/** The attempts of one queue that this replica holds, each with what ends its call. Their locks are renewed. */
export class RunningAttempts {
  readonly #queue: QueueName;
  readonly #attempts: AttemptPort;
  readonly #logger: LoggerPort;
  readonly #observer: AttemptObserver;
  readonly #lockDuration: number;
  readonly #locks: LockRenewal;
  readonly #calls = new Map<Attempt, Cancellation>();

  /** @param lockDuration in milliseconds. */
  constructor(
    queue: QueueName,
    attempts: AttemptPort,
    clock: ClockPort,
    logger: LoggerPort,
    observer: AttemptObserver,
    lockDuration: number,
  ) {
    this.#queue = queue;
    this.#attempts = attempts;
    this.#logger = logger;
    this.#observer = observer;
    this.#lockDuration = lockDuration;
    this.#locks = new LockRenewal(clock, lockDuration, () => this.#renew());
  }

  get size(): number {
    return this.#calls.size;
  }

  has(attempt: Attempt): boolean {
    return this.#calls.has(attempt);
  }

  /** @returns what ends its call, when the attempt is given up or loses its job. */
  add(attempt: Attempt): Cancellation {
    const call = new Cancellation();
    this.#calls.set(attempt, call);
    this.#locks.ensure(() => this.#calls.size > 0);
    return call;
  }

  remove(attempt: Attempt): void {
    this.#calls.delete(attempt);
  }

  /** No lock is renewed any more. */
  end(): void {
    this.#locks.end();
  }

  /**
   * Ends the running calls and puts their jobs back at the head of the queue, attempts unchanged.
   *
   * @returns how many calls it ended. The stalled check will find those jobs that cannot be put back.
   */
  async giveUp(): Promise<number> {
    const calls = [...this.#calls];
    const releases = calls.map(async ([attempt, call]) => {
      this.#calls.delete(attempt);
      call.request();
      await this.#attempts.release(this.#queue, attempt);
    });
    const results = await Promise.allSettled(releases);
    const lost = results.filter(({ status }) => status === 'rejected').length;
    if (calls.length > 0) {
      const released = calls.length - lost;
      this.#logger.warn('Running jobs were given up', { queue: this.#queue, released, lost });
    }
    return calls.length;
  }

  /** A job that an attempt lost belongs to somebody else now: the call ends and counts for nothing. */
  async #renew(): Promise<boolean> {
    const held = [...this.#calls.keys()];
    try {
      for (const lost of await this.#attempts.renew(this.#queue, held, this.#lockDuration)) {
        const call = this.#calls.get(lost);
        if (call === undefined) continue;
        this.#calls.delete(lost);
        this.#observer.lost(this.#queue, lost);
        call.request();
      }
      return true;
    } catch (error) {
      this.#logger.debug('Locks could not be renewed', { queue: this.#queue, error });
      return false;
    }
  }
}
