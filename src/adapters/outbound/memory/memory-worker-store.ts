/* eslint-disable @typescript-eslint/require-await -- async turns what a step throws into a rejection */
import type {
  StoredWorkers,
  WorkerStorePort,
} from '../../../application/ports/worker-store-port.ts';
import type { Worker } from '../../../domain/worker.ts';

/** The registered workers in the memory of this process. Callers get copies, never the record. */
export class MemoryWorkerStore implements WorkerStorePort {
  readonly #workers = new Map<string, Worker>();
  readonly #listeners = new Set<() => void>();

  async save(worker: Worker): Promise<void> {
    this.#workers.set(worker.queue, structuredClone(worker));
    this.#notify();
  }

  async remove(queue: string): Promise<boolean> {
    const removed = this.#workers.delete(queue);
    if (removed) this.#notify();
    return removed;
  }

  async find(queue: string): Promise<Worker | undefined> {
    return structuredClone(this.#workers.get(queue));
  }

  async all(): Promise<StoredWorkers> {
    return { workers: structuredClone([...this.#workers.values()]), invalid: [] };
  }

  onChange(listener: () => void): () => void {
    // One entry per subscription, so that ending one never ends another of the same listener.
    const entry = (): void => {
      listener();
    };
    this.#listeners.add(entry);
    return () => this.#listeners.delete(entry);
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }
}
