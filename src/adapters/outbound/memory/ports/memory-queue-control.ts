/* eslint-disable @typescript-eslint/require-await -- async turns what a step throws into a rejection */
import { setImmediate } from 'node:timers/promises';
import type {
  QueueControlPort,
  QueueRemoval,
} from '../../../../application/ports/queue-control-port.ts';
import type { Deduplication } from '../../../../domain/jobs/deduplication.ts';
import type { DrainOptions } from '../../../../domain/queues/drain-options.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import { piecesOf } from '../../../../domain/values/pieces.ts';
import type { MemoryStore } from '../state/memory-store.ts';
import type { UnstartedStatus } from '../../../../domain/attempts/order.ts';

/** The most jobs removed in one turn of the event loop. */
const JOBS_PER_TURN = 1000;

/** Whole queues in the memory of this process. */
export class MemoryQueueControl implements QueueControlPort {
  readonly #store: MemoryStore;

  constructor(store: MemoryStore) {
    this.#store = store;
  }

  async pause(queue: QueueName): Promise<void> {
    this.#store.open(queue).pause();
  }

  async resume(queue: QueueName): Promise<void> {
    this.#store.find(queue)?.resume();
  }

  async hold(queue: QueueName, duration: number): Promise<number> {
    return this.#store.open(queue).hold(duration);
  }

  async endHold(name: QueueName): Promise<boolean> {
    const queue = this.#store.find(name);
    if (queue?.isCreated !== true) return false;
    queue.endHold();
    return true;
  }

  /** One step: jobs that are added later go to a new queue. */
  async remove(name: QueueName, isForced: boolean): Promise<QueueRemoval> {
    const queue = this.#store.find(name);
    if (queue?.isCreated !== true) return { kind: 'missing' };
    const { counts } = queue.summary();
    if (counts.active > 0 && !isForced) return { kind: 'active' };
    this.#store.remove(name);
    const jobs = Object.values(counts).reduce((sum, count) => sum + count, 0);
    return { kind: 'removed', jobs, schedulers: queue.schedulers.size };
  }

  /** Yields to the event loop after each piece. Jobs added in the meantime stay. */
  async drain(name: QueueName, { delayed = false }: DrainOptions): Promise<number> {
    const queue = this.#store.find(name);
    if (queue === undefined) return 0;
    const statuses: UnstartedStatus[] = ['waiting', 'prioritized'];
    if (delayed) statuses.push('delayed');
    let removed = 0;
    for (const status of statuses) {
      for (const jobs of piecesOf(queue.inOrderOfRemovalIn(status), JOBS_PER_TURN)) {
        removed += queue.drain(jobs, status);
        await setImmediate();
      }
    }
    return removed;
  }

  async deduplication(queue: QueueName, id: string): Promise<Deduplication | undefined> {
    return this.#store.find(queue)?.deduplication(id);
  }

  async endDeduplication(queue: QueueName, id: string): Promise<boolean> {
    return this.#store.find(queue)?.endDeduplication(id) ?? false;
  }
}
