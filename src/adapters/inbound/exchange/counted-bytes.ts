/** Counts bytes against a capacity for all callers together and a share of it for each. */
export class CountedBytes {
  readonly #capacity: number;
  readonly #mostOfOne: number;
  readonly #ofCallers = new Map<string, number>();
  #used = 0;

  /**
   * Either may be exceeded by the last count.
   *
   * @param capacity in bytes, for all callers together
   * @param mostOfOne in bytes, for one of them
   */
  constructor(capacity: number, mostOfOne: number) {
    this.#capacity = capacity;
    this.#mostOfOne = mostOfOne;
  }

  /** Whether the capacity, or the share of the caller, is spent. */
  isSpent(caller: string): boolean {
    return this.#used >= this.#capacity || (this.#ofCallers.get(caller) ?? 0) >= this.#mostOfOne;
  }

  /** @param bytes negative for those that are given back. */
  count(caller: string, bytes: number): void {
    this.#used += bytes;
    const ofCaller = (this.#ofCallers.get(caller) ?? 0) + bytes;
    if (ofCaller === 0) this.#ofCallers.delete(caller);
    else this.#ofCallers.set(caller, ofCaller);
  }
}
