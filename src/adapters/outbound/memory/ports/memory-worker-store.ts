import type { QueueName } from '../../../../domain/queues/queue-name.ts';
/* eslint-disable @typescript-eslint/require-await -- async turns what a step throws into a rejection */
import type {
  StoredWorkers,
  WorkerChange,
  WorkerStorePort,
} from '../../../../application/ports/worker-store-port.ts';
import { StoreRecords } from '../state/store-records.ts';
import type { RecordedMap } from '../state/recorded-map.ts';
import type { Worker } from '../../../../domain/workers/worker.ts';

/** The registered workers in the memory of this process. Callers get copies, never the record. */
export class MemoryWorkerStore implements WorkerStorePort {
  readonly #workers: RecordedMap<Worker>;

  constructor(records = new StoreRecords()) {
    this.#workers = records.map('worker');
  }

  async save(worker: Worker): Promise<void> {
    this.#workers.set(worker.queue, structuredClone(worker));
  }

  async change(queue: QueueName, change: WorkerChange): Promise<Worker | undefined> {
    const stored = structuredClone(this.#workers.get(queue));
    const changed = change(stored);
    if (changed === undefined) return stored;
    this.#workers.set(queue, structuredClone(changed));
    return changed;
  }

  async remove(queue: QueueName): Promise<boolean> {
    return this.#workers.delete(queue);
  }

  async find(queue: QueueName): Promise<Worker | undefined> {
    return structuredClone(this.#workers.get(queue));
  }

  async all(): Promise<StoredWorkers> {
    return { workers: structuredClone([...this.#workers.values()]), invalid: [] };
  }

  async queues(): Promise<readonly QueueName[]> {
    return [...this.#workers.values()].map(({ queue }) => queue);
  }

  async findEach(queues: readonly QueueName[]): Promise<readonly (Worker | undefined)[]> {
    return queues.map((queue) => structuredClone(this.#workers.get(queue)));
  }
}
