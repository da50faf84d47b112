import type { ClockPort } from '../../../application/ports/clock-port.ts';
import { EndingFollowers } from '../../shared/ending-followers.ts';
import type { QueueName } from '../../../domain/queue-name.ts';
import { MemoryQueue } from './memory-queue.ts';

/** All queues of one process, shared by those who add jobs and those who process them. */
export class MemoryStore {
  readonly #queues = new Map<QueueName, MemoryQueue>();
  /** Those who are told of the ends of jobs. */
  readonly followers = new EndingFollowers();
  readonly #clock: ClockPort;
  readonly #stalledGrace: number;

  /**
   * @param stalledGrace how long a lock must have been gone before its job counts as stalled, and how far
   * stalled checks that count are apart, in milliseconds.
   */
  constructor(clock: ClockPort, stalledGrace: number) {
    this.#clock = clock;
    this.#stalledGrace = stalledGrace;
  }

  /** The queue of that name, undefined when nobody added to it or claimed from it yet. */
  find(name: QueueName): MemoryQueue | undefined {
    return this.#queues.get(name);
  }

  /** All queues that somebody has used, in no order. */
  all(): IterableIterator<[QueueName, MemoryQueue]> {
    return this.#queues.entries();
  }

  /** The queue of that name to look at: one that nobody has used yet is empty, and is not kept. */
  peek(name: QueueName): MemoryQueue {
    return this.#queues.get(name) ?? this.#newQueue(name);
  }

  /** Those who wait for its jobs are woken: they find the queue that the next add makes. */
  remove(name: QueueName): void {
    const queue = this.#queues.get(name);
    this.#queues.delete(name);
    queue?.wakeAll();
  }

  open(name: QueueName): MemoryQueue {
    const existing = this.#queues.get(name);
    if (existing !== undefined) return existing;
    const queue = this.#newQueue(name);
    this.#queues.set(name, queue);
    return queue;
  }

  #newQueue(name: QueueName): MemoryQueue {
    return new MemoryQueue(this.#clock, name, this.#stalledGrace, this.followers);
  }
}
