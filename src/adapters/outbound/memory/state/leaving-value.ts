/** A value that leaves the memory once it is on a disk. */
export abstract class LeavingValue<Value> {
  #value: Value | undefined;

  /** @param value undefined while it is on a disk. */
  constructor(value?: Value) {
    this.#value = value;
  }

  /** About how many characters it takes in memory. */
  abstract readonly length: number;

  /** Whether it is in memory. */
  get isWhole(): boolean {
    return this.#value !== undefined;
  }

  /** @throws Error when it is not in memory. */
  get value(): Value {
    if (this.#value === undefined) throw new Error('A value is not in memory');
    return this.#value;
  }

  /** Keeps what others need of it: the rest is on a disk. */
  shrink(): void {
    this.#value = undefined;
  }

  /** Takes back what was on a disk. */
  complete(value: Value): void {
    this.#value = value;
  }
}
