import { isStoreUnavailable, storeUnavailable } from '../../domain/errors.ts';
import type { LoggerPort } from '../ports/logger-port.ts';
import type { CommonPorts } from '../ports/common-ports.ts';
import type { ReplicaSignalsPort, Signal } from '../ports/replica-signals-port.ts';
import { FreshRuns } from './fresh-runs.ts';
import { onceChanged } from './once-changed.ts';
import { Rounds } from './rounds.ts';
import type { Startable } from './startable.ts';

/** How often (ms) the record is read without a signal. */
const READ_INTERVAL = 15_000;

export type RecordDependencies = Pick<CommonPorts, 'signals' | 'clock' | 'logger'>;

/**
 * A record of the store as it is in force on this replica. It is read whenever it may have changed; what was read before
 * stays in force while it cannot be read.
 */
export abstract class RecordInForce implements Startable {
  /** Names the record, and the signal that it has changed. */
  readonly name: Signal;
  readonly #signals: ReplicaSignalsPort;
  readonly #logger: LoggerPort;
  readonly #rounds: Rounds;
  readonly #reads = new FreshRuns(() => this.#readNow());
  #endListening: (() => void) | undefined;

  constructor(name: Signal, { signals, clock, logger }: RecordDependencies) {
    this.name = name;
    this.#signals = signals;
    this.#logger = logger;
    this.#rounds = new Rounds({ name, round: () => this.#round() }, clock, logger);
  }

  /** Whether the record has been read at least once. */
  abstract readonly areKnown: boolean;

  /** Reads the record and puts it in force. */
  protected abstract readRecord(): Promise<void>;

  /** Does not wait for the store: a replica that starts while the store is away recovers by itself. */
  start(): Promise<void> {
    this.#endListening ??= this.#signals.listen(this.name, () => {
      void this.#round();
    });
    return this.#rounds.start();
  }

  async stop(): Promise<void> {
    await this.#rounds.stop();
    this.#endListening?.();
  }

  /** @throws DomainError `store-unavailable` when the record is unknown and cannot be read. */
  async known(): Promise<void> {
    // A read in progress suffices: two in a row would exceed the time that callers wait.
    if (!this.areKnown) await (this.#reads.running() ?? this.#reads.run()).catch(() => undefined);
    if (!this.areKnown) throw storeUnavailable(new Error(`The ${this.name} were never read`));
  }

  /** Reads the record now. @throws DomainError `store-unavailable`. */
  refresh(): Promise<void> {
    return this.#reads.run();
  }

  /**
   * Reads the record after a change of this replica, and wakes the others.
   *
   * @throws DomainError `store-unavailable` that `mayBeStored` when it is unknown whether the change is in force here.
   */
  async changed(): Promise<void> {
    this.#signals.send(this.name);
    await onceChanged(this.#reads.run());
  }

  async #round(): Promise<number> {
    await this.#reads.run().catch(() => undefined);
    return READ_INTERVAL;
  }

  async #readNow(): Promise<void> {
    try {
      await this.readRecord();
    } catch (error) {
      const level = isStoreUnavailable(error) ? 'debug' : 'error';
      this.#logger[level](`The ${this.name} could not be read`, { error });
      throw error;
    }
  }
}
