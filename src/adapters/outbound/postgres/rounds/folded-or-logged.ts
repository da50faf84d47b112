import type { FindsRecords } from '../../memory/records/kept-values.ts';
import { keyText, readId, writtenId } from '../../memory/records/record-ids.ts';
import type { SharedLog } from '../log/shared-log.ts';
import type { UnfoldedValues } from './unfolded-values.ts';

/**
 * Finds records with values where they are: folded, or for those that changed a moment ago in the rounds that did it. The
 * rest of the log is not read: a signal to many jobs, for instance, may have changed much of what is not folded yet.
 */
export function foldedOrLogged(
  log: Pick<SharedLog, 'find' | 'latest'>,
  unfolded: Pick<UnfoldedValues, 'roundsOf'>,
): FindsRecords {
  return {
    find: async (groups, most) => {
      const keys = groups.flat();
      const rounds = unfolded.roundsOf(keys.map((key) => ({ ...key, id: readId(key.id) })));
      if (rounds?.length === 0) return log.find(groups, most);
      const written = keys.map((key) => ({ ...key, queue: writtenId(key.queue) }));
      const found = await log.latest(written, rounds);
      const values = new Map(found.map((record) => [keyText(record), record.value]));
      return groups.map((group) =>
        group.map((key) => values.get(keyText({ ...key, queue: writtenId(key.queue) }))),
      );
    },
  };
}
