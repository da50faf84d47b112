import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import { piecesOf } from '../../../../domain/values/pieces.ts';
import type { FindsRecords } from './kept-values.ts';
import { recordKey } from './record-ids.ts';
import type { StoredRecord } from './record.ts';

/** Ids by queue of jobs whose records are of earlier versions, with their names and delays in their payloads alone. */
export type UnnamedJobs = readonly (readonly [queue: QueueName, ids: readonly string[]])[];

/** The records that say what their own records do not. */
const KINDS = ['payload', 'logs'] as const;

/** Jobs of which the values are read at once, and the characters after which no further ones are. */
const MOST = { jobs: 100, characters: 1_000_000 };

/** Reads the values of such jobs in bounded pieces. @param take restores the records of one piece. */
export async function readUnnamed(
  unnamed: UnnamedJobs,
  kept: FindsRecords,
  take: (records: readonly StoredRecord[]) => void,
): Promise<void> {
  for (const [queue, ids] of unnamed) {
    for (const some of piecesOf(ids, MOST.jobs)) {
      const keys = some.flatMap((id) => KINDS.map((kind) => recordKey(kind, queue, id)));
      for (let next = 0; next < keys.length;) {
        const rest = keys.slice(next);
        const groups = rest.map((key) => [key]);
        const found = await kept.find(groups, MOST.characters);
        take(
          rest.slice(0, found.length).flatMap((key, index) => {
            const value = found[index]?.[0];
            return value === undefined ? [] : [{ ...key, value }];
          }),
        );
        next += found.length;
      }
    }
  }
}
