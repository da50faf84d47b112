import type { RecordDependencies } from '../running/record-in-force.ts';
import { isStoreUnavailable } from '../../domain/errors.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import { piecesOf } from '../../domain/values/pieces.ts';
import { READ_TOGETHER } from '../kept/each-record.ts';
import type { SignalScope } from '../ports/replica-signals-port.ts';
import { Notifier } from '../running/notifier.ts';
import type { KnownWorkers, WorkerChanges } from '../kept/known-workers.ts';

/** How often (ms) the whole record is read without a signal. */
const WHOLE_INTERVAL = 15_000;

/** Pause (ms) after a failed reading. */
const RETRY_PAUSE = 1000;

export interface WorkerReadingDependencies extends RecordDependencies {
  readonly known: KnownWorkers;
}

/**
 * Keeps what this replica knows of the stored workers up to date: it reads those that a signal names, all that were
 * named meanwhile together; and the whole record a few at a time, at the start, when signals may have been missed, and
 * every 15 s.
 */
export class WorkerReading {
  readonly #dependencies: WorkerReadingDependencies;
  readonly #apply: (changes: WorkerChanges) => void;
  readonly #wake = new Notifier();
  readonly #roundEnded = new Notifier();
  readonly #named = new Set<QueueName>();
  /** Whether a reading of the whole record has to begin, and when the last one began. */
  #isWholeDue = true;
  #wholeAt = -Infinity;
  /** What is left of the reading of the whole record in progress. */
  #left: QueueName[] = [];
  #isCurrent = false;
  /** How many rounds have begun, and how many have ended. */
  #begun = 0;
  #ended = 0;
  #isEnding = false;
  #running: Promise<void> | undefined;

  /** @param apply applies what was read, and never throws. */
  constructor(dependencies: WorkerReadingDependencies, apply: (changes: WorkerChanges) => void) {
    this.#dependencies = dependencies;
    this.#apply = apply;
  }

  /** True once the whole record was read and applied, false again after a failure until it is read once more. */
  get isCurrent(): boolean {
    return this.#isCurrent;
  }

  start(): void {
    this.#running ??= this.#run();
  }

  /** Reads no more; nobody waits for a reading any more. */
  end(): void {
    this.#isEnding = true;
    this.#wake.notify();
    this.#roundEnded.notify();
  }

  /** Resolves when the last reading is over. */
  async ended(): Promise<void> {
    await this.#running;
  }

  /** Resolves when the present record of a queue is applied, or could not be read. */
  async read(queue: QueueName): Promise<void> {
    this.#note({ queue });
    // The current round may have read the record before the change, so only the next one counts.
    const round = this.#begun + 1;
    while (this.#ended < round && !this.#isEnding) await this.#roundEnded.notified;
  }

  #note({ queue }: SignalScope): void {
    if (queue === undefined) this.#isWholeDue = true;
    else this.#named.add(queue);
    this.#wake.notify();
  }

  async #run(): Promise<void> {
    const { signals, clock } = this.#dependencies;
    const endListening = signals.listen('workers', (scope) => {
      this.#note(scope);
    });
    while (!this.#isEnding) {
      const woken = this.#wake.signal;
      this.#begun += 1;
      const pause = await this.#round();
      this.#ended += 1;
      this.#roundEnded.notify();
      if (pause > 0) await clock.sleep(pause, woken);
    }
    endListening();
  }

  /** @returns the pause (ms) before the next round. */
  async #round(): Promise<number> {
    const { known, clock, logger } = this.#dependencies;
    try {
      await this.#readNamed();
      await this.#readPiece();
      if (this.#left.length > 0 || this.#isWholeDue) return 0;
      known.complete();
      this.#isCurrent = true;
      return this.#wholeAt + WHOLE_INTERVAL - clock.now();
    } catch (error) {
      this.#isCurrent = false;
      this.#isWholeDue = true;
      // The store logs by itself that it is unavailable, and why.
      if (!isStoreUnavailable(error))
        logger.error('The workers could not be reconciled', { error });
      return RETRY_PAUSE;
    }
  }

  async #readNamed(): Promise<void> {
    const named = [...this.#named];
    this.#named.clear();
    for (const some of piecesOf(named, READ_TOGETHER)) await this.#read(some);
  }

  /** The next piece of the whole record, if it is being read or it is time to read it. */
  async #readPiece(): Promise<void> {
    const { known, clock } = this.#dependencies;
    if (this.#isWholeDue || clock.now() - this.#wholeAt >= WHOLE_INTERVAL) {
      this.#isWholeDue = false;
      this.#wholeAt = clock.now();
      this.#left = [...(await known.queues())];
    } else if (this.#left.length === 0) {
      return;
    }
    await this.#read(this.#left.splice(0, READ_TOGETHER));
  }

  async #read(queues: readonly QueueName[]): Promise<void> {
    this.#apply(await this.#dependencies.known.read(queues));
  }
}
