import type { QueueName } from '../../../../domain/queues/queue-name.ts';
/* eslint-disable @typescript-eslint/require-await -- async turns what a step throws into a rejection */
import type {
  StoredWorkers,
  WorkerChange,
  WorkerStorePort,
} from '../../../../application/ports/worker-store-port.ts';
import { StoreRecords } from '../records/store-records.ts';
import type { KeyedRecords } from '../records/keyed-records.ts';
import { tooManyWorkers } from '../../../../domain/errors.ts';
import { MOST_WORKERS, type Worker } from '../../../../domain/workers/worker.ts';

/** The registered workers in the memory of this process. A record is replaced, never changed. */
export class MemoryWorkerStore implements WorkerStorePort {
  readonly #workers: KeyedRecords<Worker>;
  readonly #most: number;

  /** @param most how many workers there may be. */
  constructor(records = new StoreRecords(), most = MOST_WORKERS) {
    this.#workers = records.map('worker');
    this.#most = most;
  }

  async save(worker: Worker): Promise<void> {
    this.#set(worker);
  }

  async change(queue: QueueName, change: WorkerChange): Promise<Worker | undefined> {
    const stored = this.#workers.find(queue);
    const changed = change(stored);
    if (changed === undefined) return stored;
    this.#set(changed);
    return changed;
  }

  async remove(queue: QueueName): Promise<boolean> {
    return this.#workers.remove(queue);
  }

  async find(queue: QueueName): Promise<Worker | undefined> {
    return this.#workers.find(queue);
  }

  async queues(): Promise<readonly QueueName[]> {
    return [...this.#workers.values()].map(({ queue }) => queue);
  }

  async findEach(queues: readonly QueueName[]): Promise<StoredWorkers> {
    return { workers: queues.flatMap((queue) => this.#workers.find(queue) ?? []), invalid: [] };
  }

  #set(worker: Worker): void {
    const isNew = !this.#workers.has(worker.queue);
    if (isNew && this.#workers.size >= this.#most) throw tooManyWorkers(this.#most);
    this.#workers.put(worker.queue, structuredClone(worker));
  }
}
