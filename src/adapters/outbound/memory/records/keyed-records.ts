/** Called after each change of a record, by this replica or another, and for each record that is restored. */
export type Replaced<Kept> = (id: string, now: Kept | undefined, before: Kept | undefined) => void;

/**
 * Records by their ids, in the order in which they were first put; those that were restored come first, by their ids. A
 * record is replaced, never changed.
 */
export class KeyedRecords<Kept extends object> {
  readonly #records = new Map<string, Kept>();
  readonly #changed: (id: string) => void;
  readonly #replaced: Replaced<Kept>;

  /**
   * @param changed receives the id of each record that this replica changes.
   * @param replaced keeps an index of the records up to date.
   */
  constructor(changed: (id: string) => void, replaced: Replaced<Kept> = () => undefined) {
    this.#changed = changed;
    this.#replaced = replaced;
  }

  get size(): number {
    return this.#records.size;
  }

  has(id: string): boolean {
    return this.#records.has(id);
  }

  find(id: string): Kept | undefined {
    return this.#records.get(id);
  }

  /** A record as it is written; undefined when it is gone. */
  record(id: string): object | undefined {
    return this.find(id);
  }

  put(id: string, record: Kept): void {
    this.replace(id, record);
    this.#changed(id);
  }

  remove(id: string): boolean {
    if (!this.has(id)) return false;
    this.replace(id, undefined);
    this.#changed(id);
    return true;
  }

  /** The one that was put before all others. */
  oldest(): readonly [id: string, record: Kept] | undefined {
    for (const oldest of this.#records) return oldest;
    return undefined;
  }

  entries(): IterableIterator<[id: string, record: Kept]> {
    return this.#records.entries();
  }

  ids(): IterableIterator<string> {
    return this.#records.keys();
  }

  values(): IterableIterator<Kept> {
    return this.#records.values();
  }

  /** Takes a record as it was written, the oldest first at the start; undefined when it is gone. */
  replace(id: string, record: Kept | undefined): void {
    const before = this.#records.get(id);
    if (record === undefined) this.#records.delete(id);
    else this.#records.set(id, record);
    this.#replaced(id, record, before);
  }

  /** Notes all of them, as the queue goes. */
  noteAll(): void {
    for (const id of this.#records.keys()) this.#changed(id);
  }
}
