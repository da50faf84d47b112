import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type { MemoryStore } from '../state/memory-store.ts';
import type { StoredQueue } from '../state/stored-queue.ts';
import type { RecordKind } from './record-changes.ts';

/** Records of one kind of one queue. */
export interface RecordsOfQueue {
  /** The record as it is now; undefined when it is gone. */
  find(id: string): object | undefined;
  /** Takes a record as it was written; undefined when it is gone. */
  replace(id: string, record: unknown): void;
  ids(): Iterable<string>;
}

/** The records of one kind that go with their queues, beside those of all queues together, whose queue is ''. */
export class RecordsOfQueues<Kept extends RecordsOfQueue> {
  readonly total: Kept;
  readonly #store: MemoryStore;
  readonly #make: (queue: QueueName | '') => Kept;
  readonly #ofQueues = new WeakMap<StoredQueue, Kept>();

  /** @param make is given what receives the id of each record that changes. */
  constructor(store: MemoryStore, kind: RecordKind, make: (changed: (id: string) => void) => Kept) {
    const { records } = store;
    this.#store = store;
    this.#make = (queue) =>
      make((id) => {
        records.changes.note(kind, queue, id);
      });
    this.total = this.#make('');
    records.keepWithQueues(kind, this);
  }

  find(name: QueueName | ''): Kept | undefined {
    if (name === '') return this.total;
    const queue = this.#store.find(name);
    return queue && this.#ofQueues.get(queue);
  }

  /** The same, made where there are none yet; undefined for a queue that does not exist. */
  open(name: QueueName | ''): Kept | undefined {
    const known = this.find(name);
    const queue = name === '' ? undefined : this.#store.find(name);
    if (known !== undefined || queue === undefined) return known;
    const made = this.#make(queue.name);
    this.#ofQueues.set(queue, made);
    return made;
  }
}
