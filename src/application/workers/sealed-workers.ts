import type { QueueName } from '../../domain/queues/queue-name.ts';
import { unreadableWorker } from '../../domain/workers/unreadable-worker.ts';
import { without } from '../../domain/values/without.ts';
import type { Worker } from '../../domain/workers/worker.ts';
import type { ClockPort } from '../ports/clock-port.ts';
import type { StoredWorkers, WorkerChange, WorkerStorePort } from '../ports/worker-store-port.ts';
import type { Sealing } from '../secrets/sealing.ts';

/**
 * The stored workers, whose secrets another store keeps encrypted. A worker with a secret that cannot be decrypted here
 * is disabled, while all others continue; its record stays unchanged.
 */
export class SealedWorkers implements WorkerStorePort {
  readonly #kept: WorkerStorePort;
  readonly #sealing: Sealing<Worker>;
  /** The keys are fixed at start, so an unreadable secret has been unreadable since then. */
  readonly #startedAt: number;
  /** Keyed by the stored object, since a store returns the same object for an unchanged record. */
  readonly #opened = new WeakMap<Worker, Worker>();

  constructor(kept: WorkerStorePort, sealing: Sealing<Worker>, clock: ClockPort) {
    this.#kept = kept;
    this.#sealing = sealing;
    this.#startedAt = clock.now();
  }

  async save(worker: Worker): Promise<void> {
    await this.#kept.save(this.#sealing.sealed(worker));
  }

  async change(queue: QueueName, change: WorkerChange): Promise<Worker | undefined> {
    const changed = await this.#kept.change(queue, (kept) => {
      const worker = change(this.#open(kept));
      if (worker === undefined) return undefined;
      if (worker.unreadable === undefined) return this.#sealing.sealed(worker);
      return without(without(worker, 'unreadable'), 'disabled');
    });
    return this.#open(changed);
  }

  remove(queue: QueueName): Promise<boolean> {
    return this.#kept.remove(queue);
  }

  async find(queue: QueueName): Promise<Worker | undefined> {
    return this.#open(await this.#kept.find(queue));
  }

  queues(): Promise<readonly QueueName[]> {
    return this.#kept.queues();
  }

  async findEach(queues: readonly QueueName[]): Promise<StoredWorkers> {
    const { workers, invalid } = await this.#kept.findEach(queues);
    return { workers: workers.map((kept) => this.#openOne(kept)), invalid };
  }

  #open(kept: Worker | undefined): Worker | undefined {
    return kept && this.#openOne(kept);
  }

  #openOne(kept: Worker): Worker {
    const known = this.#opened.get(kept);
    if (known !== undefined) return known;
    const problem = this.#sealing.unreadable(kept);
    const since = Math.max(this.#startedAt, kept.registeredAt ?? 0);
    const worker =
      problem === undefined ? this.#sealing.opened(kept) : unreadableWorker(kept, problem, since);
    this.#opened.set(kept, worker);
    return worker;
  }
}
