import { MOST_JOBS } from '../layout/largest-piece.ts';
import type { QueueKeys } from '../layout/queue-keys.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import { scanGroups } from '../scripts/reading.ts';
import { idInGroup, type NextJobs } from './scan-places.ts';

/** How many ids one run reads without jobs, in a millisecond or two. */
const IDS_PER_RUN = 2000;

/** The waiting jobs of groups that come after one of them. @param fields which fields to read of each job's hash. */
export async function nextOfGroups(
  store: StoreCommands,
  keys: QueueKeys,
  key: string,
  after: string | undefined,
  fields: readonly string[],
): Promise<NextJobs> {
  const most = fields.length === 0 ? IDS_PER_RUN : MOST_JOBS;
  const from = { set: key, most, after: after ?? '' };
  const [members, rows] = await store.call(scanGroups, keys, from, fields);
  const count = rows?.length ?? members.length;
  return {
    ids: members.slice(0, count).map(idInGroup),
    ...(rows && { rows }),
    goesOn: count < members.length || members.length === most,
    positionAfter: (taken) => {
      const last = taken === 0 ? after : members[taken - 1];
      return last === undefined ? [] : [last];
    },
  };
}
