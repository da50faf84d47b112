import { isStoreUnavailable } from '../../domain/errors.ts';
import type { ClockPort } from '../ports/clock-port.ts';
import type { LoggerPort } from '../ports/logger-port.ts';
import { Notifier } from './notifier.ts';
import type { Startable } from './startable.ts';

/** Work that a replica repeats. */
export interface RepeatedWork {
  readonly name: string;

  /**
   * What to log when a round fails although the store is available, and the pause (ms) after any failure. Omitted by
   * work whose rounds never reject.
   */
  readonly failure?: { readonly line: string; readonly pause: number };

  /** Notifies when the next round is due before the pause is over. Omitted by work that always waits for it. */
  readonly sooner?: Notifier;

  /** @returns the pause (ms) before the next round. */
  round(): Promise<number>;

  /** Runs after the last round. */
  finish?(): Promise<void>;
}

/** Repeats work, one round after the other, until it is stopped. */
export class Rounds implements Startable {
  readonly #work: RepeatedWork;
  readonly #clock: ClockPort;
  readonly #logger: LoggerPort;
  readonly #sooner: Notifier;
  #isStopped = false;
  #running: Promise<void> | undefined;

  constructor(work: RepeatedWork, clock: ClockPort, logger: LoggerPort) {
    this.#work = work;
    this.#clock = clock;
    this.#logger = logger;
    this.#sooner = work.sooner ?? new Notifier();
  }

  get name(): string {
    return this.#work.name;
  }

  /** Does not wait for the first round: a replica that starts while the store is away recovers by itself. */
  start(): Promise<void> {
    this.#running ??= this.#run();
    return Promise.resolve();
  }

  /** Resolves when the current round, which is the last one, is over, and the work is finished. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#sooner.notify();
    await this.#running;
    await this.#work.finish?.();
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      const { signal } = this.#sooner;
      await this.#clock.sleep(await this.#round(), signal);
    }
  }

  async #round(): Promise<number> {
    const { failure } = this.#work;
    try {
      return await this.#work.round();
    } catch (error) {
      if (failure === undefined) throw error;
      if (!isStoreUnavailable(error)) this.#logger.error(failure.line, { error });
      return failure.pause;
    }
  }
}
