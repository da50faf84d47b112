import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { Worker } from '../../domain/workers/worker.ts';
import type { Natures } from './nature.ts';

/** A stored record that is not a valid worker: it is left unchanged, and reported. */
export interface InvalidWorkerRecord {
  readonly queue: string;
  readonly problem: string;
}

/** What the store has of some queues. A queue without a record is in neither list. */
export interface StoredWorkers {
  readonly workers: readonly Worker[];
  readonly invalid: readonly InvalidWorkerRecord[];
}

export type WorkerChange = (worker: Worker | undefined) => Worker | undefined;

/**
 * Stores the registered workers; this record is authoritative, and every replica applies it. Methods throw DomainError
 * `store-unavailable` when the store cannot be reached. A worker whose queue has none yet is refused with
 * `too-many-workers` when there are as many as there may be.
 */
export interface WorkerStorePort {
  /**
   * Stores the worker of its queue, replacing any other.
   *
   * @throws DomainError `too-many-workers`.
   */
  save(worker: Worker): Promise<void>;

  /**
   * Changes the worker of a queue in one step: no other change comes in between. `change` gets undefined if there is no
   * worker, returns undefined to leave the worker unchanged, and may be called several times. Its errors are passed on,
   * and the worker then stays unchanged.
   *
   * @returns the worker after the change; undefined when the queue has none.
   * @throws DomainError `too-many-workers`.
   */
  change(queue: QueueName, change: WorkerChange): Promise<Worker | undefined>;

  /** @returns false when the queue had no worker. */
  remove(queue: QueueName): Promise<boolean>;

  find(queue: QueueName): Promise<Worker | undefined>;

  /** The queues that have a record, in no particular order. */
  queues(): Promise<readonly QueueName[]>;

  /**
   * Reads the records of the queues in one step, so callers ask for a few at a time. A record that has not changed
   * since it was last read so is the same object: nothing of it is read again.
   */
  findEach(queues: readonly QueueName[]): Promise<StoredWorkers>;
}

export const WORKER_NATURES: Natures<WorkerStorePort> = {
  save: 'enlarges',
  change: 'changes',
  remove: 'changes',
  find: 'looks',
  queues: 'looks',
  findEach: 'looks',
};
