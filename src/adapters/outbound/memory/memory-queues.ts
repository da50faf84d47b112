import type { ClockPort } from '../../../application/ports/clock-port.ts';
import { MemoryQueue } from './memory-queue.ts';

/** All queues of one process, shared by those who add jobs and those who process them. */
export class MemoryQueues {
  /** What every queue looks like that nobody has used yet. */
  readonly unused: MemoryQueue;
  readonly #queues = new Map<string, MemoryQueue>();
  readonly #clock: ClockPort;
  readonly #prefix: string;

  constructor(clock: ClockPort, prefix: string) {
    this.#clock = clock;
    this.#prefix = prefix;
    this.unused = new MemoryQueue(clock, prefix);
  }

  /** The queue of that name, undefined when nobody added to it or claimed from it yet. */
  find(name: string): MemoryQueue | undefined {
    return this.#queues.get(name);
  }

  open(name: string): MemoryQueue {
    const existing = this.#queues.get(name);
    if (existing !== undefined) return existing;
    const queue = new MemoryQueue(this.#clock, `${this.#prefix}:${name}`);
    this.#queues.set(name, queue);
    return queue;
  }
}
