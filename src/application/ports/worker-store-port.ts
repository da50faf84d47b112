import type { Worker } from '../../domain/worker.ts';

/** A stored record that is no worker: left as it is, and reported. */
export interface InvalidWorkerRecord {
  readonly queue: string;
  readonly problem: string;
}

export interface StoredWorkers {
  readonly workers: readonly Worker[];
  readonly invalid: readonly InvalidWorkerRecord[];
}

/**
 * The registered workers. This record is the truth that every replica follows; methods throw
 * DomainError `store-unavailable` when it cannot be reached.
 */
export interface WorkerStorePort {
  /** Stores the worker of its queue in place of any other, and tells every replica. */
  save(worker: Worker): Promise<void>;

  /** @returns false when the queue had no worker. */
  remove(queue: string): Promise<boolean>;

  find(queue: string): Promise<Worker | undefined>;

  all(): Promise<StoredWorkers>;

  /**
   * Calls the listener after every change that any replica made, and whenever changes may have been
   * missed, such as after a lost connection. It is a wake-up only: it says nothing of what changed.
   *
   * @returns a function that ends the subscription.
   */
  onChange(listener: () => void): () => void;
}
