import type { RecordsOfQueue } from './records-of-queues.ts';

/** A record with the start of its step. */
export interface RecordOfStep<Kept> {
  readonly at: number;
  readonly record: Kept;
}

/** Records by step and source, with ids of both: `<start of the step> <source>`. */
export class StepMap<Kept extends object> implements RecordsOfQueue {
  readonly #steps = new Map<string, RecordOfStep<Kept>>();
  readonly #changed: (id: string) => void;

  /** @param changed receives the id of each record that changes. */
  constructor(changed: (id: string) => void) {
    this.#changed = changed;
  }

  find(id: string): Kept | undefined {
    return this.#steps.get(id)?.record;
  }

  replace(id: string, record: Kept | undefined): void {
    if (record === undefined) this.#steps.delete(id);
    else this.#steps.set(id, { at: parseInt(id, 10), record });
  }

  ids(): Iterable<string> {
    return this.#steps.keys();
  }

  put(at: number, source: string, record: Kept): void {
    this.#put(`${at} ${source}`, record);
  }

  remove(at: number, source: string): void {
    this.#remove(`${at} ${source}`);
  }

  /** Edits all records. */
  edit(edit: (record: Kept) => Kept): void {
    for (const [id, { record }] of this.#steps) this.#put(id, edit(record));
  }

  between(first: number, last: number): readonly RecordOfStep<Kept>[] {
    return [...this.#steps.values()].filter(({ at }) => at >= first && at <= last);
  }

  isAnySince(first: number): boolean {
    for (const { at } of this.#steps.values()) if (at >= first) return true;
    return false;
  }

  /** Removes the records of the steps before one. */
  forget(oldest: number): void {
    for (const [id, { at }] of this.#steps) {
      if (at >= oldest) return;
      this.#remove(id);
    }
  }

  #put(id: string, record: Kept): void {
    this.replace(id, record);
    this.#changed(id);
  }

  #remove(id: string): void {
    if (this.#steps.delete(id)) this.#changed(id);
  }
}
