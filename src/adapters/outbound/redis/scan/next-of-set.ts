import type { StoreCommands } from '../connection/store-commands.ts';
import { luaScript } from '../lua/load.ts';
import type { Row } from './scanned-fields.ts';
import type { NextJobs, SetPosition } from './scan-places.ts';

const scanSetScript = luaScript('scan-set');

type SetAnswer = readonly [members: readonly string[], rows?: readonly Row[]];

/** How many jobs one run reads, and how many ids without jobs: either takes a millisecond or two. */
const JOBS_PER_RUN = 100;
const IDS_PER_RUN = 2000;

/** The jobs of a sorted set that come after a position. @param fields which fields to read of each job's hash. */
export async function nextOfSet(
  { scripts }: StoreCommands,
  { key, jobPrefix }: { readonly key: string; readonly jobPrefix: string },
  position: SetPosition | undefined,
  fields: readonly string[],
): Promise<NextJobs> {
  const most = fields.length === 0 ? IDS_PER_RUN : JOBS_PER_RUN;
  const [members, rows] = (await scripts.run(
    scanSetScript,
    [key],
    [jobPrefix, most, position?.score ?? '', position?.id ?? '', ...fields],
  )) as SetAnswer;
  const found = members.length / 2;
  const count = rows?.length ?? found;
  return {
    ids: members.filter((_, index) => index % 2 === 0).slice(0, count),
    ...(rows && { rows }),
    goesOn: count < found || found === most,
    positionAfter: (taken) =>
      taken === 0 ? positionOf(position) : [members[2 * taken - 1], members[2 * taken - 2]],
  };
}

function positionOf(position: SetPosition | undefined): readonly unknown[] {
  return position === undefined ? [] : [position.score, position.id];
}
