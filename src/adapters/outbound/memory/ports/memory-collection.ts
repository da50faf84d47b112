/* eslint-disable @typescript-eslint/require-await -- async turns what a step throws into a rejection */
import { folderOf, type Collection } from '../../../../application/kept/collection.ts';
import { tooMany } from '../../../../domain/errors.ts';
import type {
  CollectionPort,
  FollowedRecords,
} from '../../../../application/ports/collection-port.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import { RecentChanges } from '../records/recent-changes.ts';
import type { StoreRecords } from '../records/store-records.ts';
import { RecordFolders } from './record-folders.ts';

/** The records of one kind in the memory of this process. */
export function memoryCollection<Kept extends object, Id extends string = string>(
  keptRecords: StoreRecords,
  collection: Collection<Kept, Id>,
  createQueue: (queue: QueueName) => void = () => undefined,
): CollectionPort<Kept, Id> & FollowedRecords<Kept, Id> {
  const { kind, bound, inFolder, queueOf } = collection;
  const folders = inFolder && new RecordFolders();
  const changes = new RecentChanges();
  const records = keptRecords.map<Kept>(kind, (id, now) => {
    folders?.note(id, now !== undefined);
    if (collection.changes !== undefined) changes.note(id);
  });
  const ids = (): readonly Id[] => [...records.ids()] as Id[];
  const checkRoom = (id: Id): void => {
    const siblings = folders?.of(folderOf(id)).size ?? 0;
    if (inFolder !== undefined && siblings >= inFolder.most)
      throw tooMany(inFolder.of, inFolder.most);
    const others = siblings > 0 ? 0 : (folders ?? records).size;
    if (bound !== undefined && others >= bound.most) throw tooMany(bound.of, bound.most);
  };
  const found = (some: readonly Id[]): ReadonlyMap<Id, Kept> => {
    const pairs = some.flatMap((id) => {
      const record = records.find(id);
      return record === undefined ? [] : [[id, record] as const];
    });
    return new Map(pairs);
  };
  const put: CollectionPort<Kept, Id>['put'] = async (id, make) => {
    const kept = records.find(id);
    const made = make(kept);
    if (made === undefined) return kept;
    if (kept === undefined) checkRoom(id);
    const queue = queueOf?.(id);
    if (queue !== undefined) createQueue(queue);
    records.put(id, structuredClone(made));
    return records.find(id);
  };
  return {
    find: async (id) => records.find(id),
    ids: async (folder) =>
      folder === undefined ? ids() : ([...(folders?.of(folder) ?? [])] as Id[]),
    list: async (some = ids()) => ({ records: found(some), invalid: new Map() }),
    put,
    change: (id, change) => put(id, (kept) => kept && change(kept)),
    remove: async (id) => records.remove(id),
    changedSince: async (known) => {
      const { version } = changes;
      if (version === known) return undefined;
      const changed = changes.since(known) as Id[] | undefined;
      const removed = changed?.filter((id) => !records.has(id));
      return { version, records: found(changed ?? ids()), removed };
    },
  };
}
