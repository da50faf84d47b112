import type { StoreCommands } from '../connection/store-commands.ts';
import { luaScript } from '../lua/load.ts';
import type { Row } from './scanned-fields.ts';
import { idInGroup, type NextJobs } from './scan-places.ts';

const scanGroupsScript = luaScript('scan-groups');

type GroupsAnswer = readonly [members: readonly string[], rows?: readonly Row[]];

/** How many jobs one run reads, and how many ids without jobs: either takes a millisecond or two. */
const JOBS_PER_RUN = 100;
const IDS_PER_RUN = 2000;

/** The waiting jobs of groups that come after one of them. @param fields which fields to read of each job's hash. */
export async function nextOfGroups(
  { scripts }: StoreCommands,
  { key, jobPrefix }: { readonly key: string; readonly jobPrefix: string },
  after: string | undefined,
  fields: readonly string[],
): Promise<NextJobs> {
  const most = fields.length === 0 ? IDS_PER_RUN : JOBS_PER_RUN;
  const args = [jobPrefix, most, after ?? '', ...fields];
  const [members, rows] = (await scripts.run(scanGroupsScript, [key], args)) as GroupsAnswer;
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
