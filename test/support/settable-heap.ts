import type { Heap } from '../../src/adapters/shared/process-heap.ts';

const MEGABYTE = 1_048_576;

/** A heap of 512 MB, of which a test says what is in use. */
export class SettableHeap implements Heap {
  readonly limit = 512 * MEGABYTE;
  collections = 0;
  isResting = false;
  restsUntil = 0;
  #live = 100 * MEGABYTE;
  #garbage = 0;
  #listener: () => void = () => undefined;

  /** @param live what is in use, in megabytes. @param garbage what is left of what was. */
  set(live: number, garbage = 0): void {
    this.#live = live * MEGABYTE;
    this.#garbage = garbage * MEGABYTE;
  }

  used(): number {
    return this.#live + this.#garbage;
  }

  collect(): boolean {
    if (this.isResting) return false;
    this.collections += 1;
    this.#garbage = 0;
    return true;
  }

  onCollected(listener: () => void): () => void {
    this.#listener = listener;
    return () => (this.#listener = () => undefined);
  }

  /** Collects of its own accord. */
  collectItself(): void {
    this.#garbage = 0;
    this.#listener();
  }
}
