import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { Worker } from '../../domain/workers/worker.ts';
import type { LoggerPort } from '../ports/logger-port.ts';
import { eachRecord } from './each-record.ts';
import type { KeptWorkers } from './workers.ts';

/** What a reading of some queues brought. */
export interface WorkerChanges {
  /** The workers that are new or may have changed. */
  readonly changed: readonly Worker[];
  /** The queues that have no valid worker any more. */
  readonly removed: readonly QueueName[];
}

/**
 * The stored workers as this replica last read them: a recent change may be missing. One reader after the other may call
 * `read`; all others share what it brought.
 */
export class KnownWorkers {
  readonly #store: KeptWorkers;
  readonly #logger: LoggerPort;
  readonly #workers = new Map<QueueName, Worker>();
  /** Why records are no valid workers, by queue. */
  readonly #problems = new Map<QueueName, string>();
  #isComplete = false;

  constructor(store: KeptWorkers, logger: LoggerPort) {
    this.#store = store;
    this.#logger = logger;
  }

  /** @throws DomainError `store-unavailable` when the record was never read, and cannot be read now. */
  async workerOf(queue: QueueName): Promise<Worker | undefined> {
    const known = this.#workers.get(queue);
    return known !== undefined || this.#isComplete ? known : this.#store.find(queue);
  }

  /**
   * The workers of those of the queues that have one. It costs the store nothing, or a bounded step for each few of them.
   *
   * @throws DomainError `store-unavailable` when the record was never read, and cannot be read now.
   */
  async workersOf(queues: readonly QueueName[]): Promise<ReadonlyMap<QueueName, Worker>> {
    return this.#isComplete ? this.#knownOf(queues) : this.#readOf(queues);
  }

  /**
   * All workers, in no particular order. Which queues have one is read from the store now.
   *
   * @throws DomainError `store-unavailable`.
   */
  async all(): Promise<readonly Worker[]> {
    return [...(await this.#readOf(await this.#store.ids())).values()];
  }

  /** All queues whose records a reading of the whole record has to read: those that are stored, and those known. */
  async queues(): Promise<readonly QueueName[]> {
    const stored = await this.#store.ids();
    return [...new Set([...stored, ...this.#workers.keys(), ...this.#problems.keys()])];
  }

  /**
   * Reads the records of a few queues, and reports those that have become invalid.
   *
   * @throws DomainError `store-unavailable`.
   */
  async read(queues: readonly QueueName[]): Promise<WorkerChanges> {
    const { records, invalid } = await this.#store.list(queues);
    const changed = [...records.values()].filter(
      (worker) => this.#workers.get(worker.queue) !== worker,
    );
    for (const worker of changed) this.#workers.set(worker.queue, worker);
    const removed = queues.filter((queue) => !records.has(queue) && this.#workers.delete(queue));
    this.#report(queues, invalid);
    return { changed, removed };
  }

  /** Says that every record has been read at least once: a queue without a known worker has none. */
  complete(): void {
    this.#isComplete = true;
  }

  #knownOf(queues: readonly QueueName[]): Map<QueueName, Worker> {
    const known = new Map<QueueName, Worker>();
    for (const queue of queues) {
      const worker = this.#workers.get(queue);
      if (worker !== undefined) known.set(queue, worker);
    }
    return known;
  }

  /** The known workers of the queues, and from the store those of the others. */
  async #readOf(queues: readonly QueueName[]): Promise<ReadonlyMap<QueueName, Worker>> {
    const known = this.#knownOf(queues);
    const others = queues.filter((queue) => !known.has(queue) && !this.#problems.has(queue));
    for await (const [queue, worker] of eachRecord(this.#store, others)) known.set(queue, worker);
    return known;
  }

  /** Logs an invalid record when its problem changes, not each time that it is read. */
  #report(queues: readonly QueueName[], invalid: ReadonlyMap<QueueName, string>): void {
    for (const queue of queues) {
      const problem = invalid.get(queue);
      if (problem === this.#problems.get(queue)) continue;
      if (problem === undefined) {
        this.#problems.delete(queue);
        continue;
      }
      this.#problems.set(queue, problem);
      this.#logger.error('A stored worker is invalid and is skipped', { queue, problem });
    }
  }
}

/** The registered workers, for use cases that need that of one queue. */
export type WorkersInForce = Pick<KnownWorkers, 'workerOf'>;
