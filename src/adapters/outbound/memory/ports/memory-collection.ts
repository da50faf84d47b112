/* eslint-disable @typescript-eslint/require-await -- async turns what a step throws into a rejection */
import type { Collection } from '../../../../application/kept/collection.ts';
import type {
  CollectionPort,
  FoundRecords,
} from '../../../../application/ports/collection-port.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type { KeyedRecords } from '../records/keyed-records.ts';
import type { StoreRecords } from '../records/store-records.ts';

/** The records of one kind in the memory of this process. */
export class MemoryCollection<
  Kept extends object,
  Id extends string = string,
> implements CollectionPort<Kept, Id> {
  readonly #records: KeyedRecords<Kept>;
  readonly #collection: Collection<Kept, Id>;
  readonly #createQueue: (queue: QueueName) => void;

  constructor(
    records: StoreRecords,
    collection: Collection<Kept, Id>,
    createQueue: (queue: QueueName) => void = () => undefined,
  ) {
    this.#records = records.map(collection.kind);
    this.#collection = collection;
    this.#createQueue = createQueue;
  }

  async find(id: Id): Promise<Kept | undefined> {
    return this.#records.find(id);
  }

  async ids(): Promise<readonly Id[]> {
    return [...this.#records.ids()] as Id[];
  }

  async list(ids?: readonly Id[]): Promise<FoundRecords<Kept, Id>> {
    const all = ids ?? ([...this.#records.ids()] as Id[]);
    const records = all.flatMap((id) => {
      const record = this.#records.find(id);
      return record === undefined ? [] : [[id, record] as const];
    });
    return { records: new Map(records), invalid: new Map() };
  }

  async put(id: Id, make: (kept: Kept | undefined) => Kept | undefined): Promise<Kept | undefined> {
    return this.#put(id, make);
  }

  async change(id: Id, change: (kept: Kept) => Kept | undefined): Promise<Kept | undefined> {
    return this.#put(id, (kept) => kept && change(kept));
  }

  async remove(id: Id): Promise<boolean> {
    return this.#records.remove(id);
  }

  #put(id: Id, make: (kept: Kept | undefined) => Kept | undefined): Kept | undefined {
    const { bound, queueOf } = this.#collection;
    const kept = this.#records.find(id);
    const made = make(kept);
    if (made === undefined) return kept;
    const isFull = bound !== undefined && this.#records.size >= bound.most;
    if (kept === undefined && isFull) throw bound.tooMany(bound.most);
    const queue = queueOf?.(id);
    if (queue !== undefined) this.#createQueue(queue);
    this.#records.put(id, structuredClone(made));
    return this.#records.find(id);
  }
}
