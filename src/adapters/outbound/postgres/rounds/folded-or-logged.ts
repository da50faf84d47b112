import type { FindsRecords } from '../../memory/records/kept-values.ts';
import { readId, writtenId } from '../../memory/records/record-ids.ts';
import { ownerOf } from '../../memory/records/value-key.ts';
import { keyText } from '../log/log-entry.ts';
import type { SharedLog } from '../log/shared-log.ts';
import type { ReplicaMemory } from './replica-memory.ts';

/** Finds records with values where they are: folded, or in the log for those that changed a moment ago. */
export function foldedOrLogged(
  log: Pick<SharedLog, 'find' | 'latest'>,
  memory: Pick<ReplicaMemory, 'isFolded'>,
): FindsRecords {
  return {
    find: async (groups, most) => {
      const keys = groups.flat();
      const areFolded = keys.every(({ kind, queue, id }) => {
        const owner = ownerOf(kind, queue, readId(id));
        return owner === undefined || memory.isFolded(owner);
      });
      if (areFolded) return log.find(groups, most);
      const written = keys.map((key) => ({ ...key, queue: writtenId(key.queue) }));
      const found = await log.latest(written);
      const values = new Map(found.map((record) => [keyText(record), record.value]));
      return groups.map((group) =>
        group.map((key) => values.get(keyText({ ...key, queue: writtenId(key.queue) }))),
      );
    },
  };
}
