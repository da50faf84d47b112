import { setTimeout as sleep } from 'node:timers/promises';
import { ReplicaShortageError } from '../../../application/ports/webhook-port.ts';
import type { Heap } from '../../shared/process-heap.ts';

/** The share of the heap that calls may fill, with all else that is in it. */
const MOST = 0.84;

/** So many calls are made however full the heap is, so that jobs which fill it end. */
const FEW = 4;

/** The longest answer, in bytes, that is read however full the heap is. */
const SMALL = 65_536;

/** How many bytes of the heap a byte of an answer takes until its job has ended: as text, as a value and as it is stored. */
const COPIES = 4;

/** How long (ms) an answer that is read keeps its part of the heap reserved: after it, its values count as in use. */
const HELD = 200;

/** How often (ms) an answer that waits asks for room, and for how long (ms) at most. */
const [INTERVAL, PATIENCE] = [20, 10_000];

/**
 * Keeps calls from being made, and large answers from being read, where they would not fit into the heap: many at once
 * could end the process.
 */
export class CallMemory {
  readonly #heap: Heap;
  #promised = 0;
  #calls = 0;
  /** Resolves once the last answer that waits may be read. */
  #last: Promise<void> = Promise.resolve();

  constructor(heap: Heap) {
    this.#heap = heap;
  }

  /** Makes a call, whose job is in memory by then. @throws ReplicaShortageError without room. */
  async run<Answer>(call: () => Promise<Answer>): Promise<Answer> {
    if (this.#calls >= FEW && !this.#hasRoom(0)) {
      this.#heap.collect();
      if (!this.#hasRoom(0)) throw new ReplicaShortageError('The memory is nearly used up');
    }
    this.#calls += 1;
    try {
      return await call();
    } finally {
      this.#calls -= 1;
    }
  }

  /**
   * To be awaited before an answer becomes text; undefined for one that may be read at once. Answers that wait are read
   * in their order, and after a while whatever the heap has: the attempts hold their jobs.
   *
   * @param bytes of the answer
   */
  roomFor(bytes: number): Promise<void> | undefined {
    if (bytes <= SMALL) return undefined;
    this.#last = this.#last.then(() => this.#room(COPIES * bytes));
    return this.#last;
  }

  async #room(needed: number): Promise<void> {
    const until = performance.now() + PATIENCE;
    while (!this.#hasRoom(needed) && performance.now() < until) {
      this.#heap.collect();
      if (!this.#hasRoom(needed)) await sleep(INTERVAL);
    }
    this.#promised += needed;
    setTimeout(() => (this.#promised -= needed), HELD).unref();
  }

  #hasRoom(needed: number): boolean {
    return this.#heap.used() + this.#promised + needed <= MOST * this.#heap.limit;
  }
}
