/** Values by their ids, each of them a record. A value is replaced, never changed. */
export class RecordedMap<Value extends object> {
  readonly #values = new Map<string, Value>();
  readonly #changed: (id: string) => void;

  /** @param changed receives the id of each value that is set or deleted. */
  constructor(changed: (id: string) => void) {
    this.#changed = changed;
  }

  get size(): number {
    return this.#values.size;
  }

  has(id: string): boolean {
    return this.#values.has(id);
  }

  get(id: string): Value | undefined {
    return this.#values.get(id);
  }

  /** In the order in which they were first set; those that were restored come first, by their ids. */
  ids(): IterableIterator<string> {
    return this.#values.keys();
  }

  values(): IterableIterator<Value> {
    return this.#values.values();
  }

  set(id: string, value: Value): void {
    this.#values.set(id, value);
    this.#changed(id);
  }

  delete(id: string): boolean {
    this.#changed(id);
    return this.#values.delete(id);
  }

  /** Sets a value as it was written. */
  restore(id: string, value: Value): void {
    this.#values.set(id, value);
  }
}
