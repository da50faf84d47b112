/* eslint-disable @typescript-eslint/require-await -- async turns what a step throws into a rejection */
import type { Collection } from '../../../../application/kept/collection.ts';
import type { CollectionPort } from '../../../../application/ports/collection-port.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type { StoreRecords } from '../records/store-records.ts';

/** The records of one kind in the memory of this process. */
export function memoryCollection<Kept extends object, Id extends string = string>(
  keptRecords: StoreRecords,
  collection: Collection<Kept, Id>,
  createQueue: (queue: QueueName) => void = () => undefined,
): CollectionPort<Kept, Id> {
  const { kind, bound, queueOf } = collection;
  const records = keptRecords.map<Kept>(kind);
  const ids = (): readonly Id[] => [...records.ids()] as Id[];
  const put: CollectionPort<Kept, Id>['put'] = async (id, make) => {
    const kept = records.find(id);
    const made = make(kept);
    if (made === undefined) return kept;
    const isFull = bound !== undefined && records.size >= bound.most;
    if (kept === undefined && isFull) throw bound.tooMany(bound.most);
    const queue = queueOf?.(id);
    if (queue !== undefined) createQueue(queue);
    records.put(id, structuredClone(made));
    return records.find(id);
  };
  return {
    find: async (id) => records.find(id),
    ids: async () => ids(),
    list: async (some = ids()) => {
      const found = some.flatMap((id) => {
        const record = records.find(id);
        return record === undefined ? [] : [[id, record] as const];
      });
      return { records: new Map(found), invalid: new Map() };
    },
    put,
    change: (id, change) => put(id, (kept) => kept && change(kept)),
    remove: async (id) => records.remove(id),
  };
}
