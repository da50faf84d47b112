import type { ClockPort } from '../../../application/ports/clock-port.ts';
import { MemoryQueue } from './memory-queue.ts';

/** All queues of one process, shared by those who add jobs and those who process them. */
export class MemoryQueues {
  /** What every queue looks like that nobody has used yet. */
  readonly unused: MemoryQueue;
  readonly #queues = new Map<string, MemoryQueue>();
  readonly #clock: ClockPort;
  readonly #prefix: string;
  readonly #stalledGrace: number;

  /**
   * @param stalledGrace how long a lock must have been gone before its job counts as stalled, and how far
   * stalled checks that count are apart, in milliseconds.
   */
  constructor(clock: ClockPort, prefix: string, stalledGrace: number) {
    this.#clock = clock;
    this.#prefix = prefix;
    this.#stalledGrace = stalledGrace;
    this.unused = new MemoryQueue(clock, prefix, stalledGrace);
  }

  /** The queue of that name, undefined when nobody added to it or claimed from it yet. */
  find(name: string): MemoryQueue | undefined {
    return this.#queues.get(name);
  }

  open(name: string): MemoryQueue {
    const existing = this.#queues.get(name);
    if (existing !== undefined) return existing;
    const queue = new MemoryQueue(this.#clock, `${this.#prefix}:${name}`, this.#stalledGrace);
    this.#queues.set(name, queue);
    return queue;
  }
}
