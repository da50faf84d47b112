import { MOST_JOBS } from '../layout/largest-piece.ts';
import type { QueueKeys } from '../layout/queue-keys.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import { scanSet } from '../scripts/reading.ts';
import type { NextJobs, SetPosition } from './scan-places.ts';

/** How many ids one run reads without jobs, in a millisecond or two. */
const IDS_PER_RUN = 2000;

/** The jobs of a sorted set that come after a position. @param fields which fields to read of each job's hash. */
export async function nextOfSet(
  store: StoreCommands,
  keys: QueueKeys,
  key: string,
  position: SetPosition | undefined,
  fields: readonly string[],
): Promise<NextJobs> {
  const most = fields.length === 0 ? IDS_PER_RUN : MOST_JOBS;
  const from = { set: key, most, score: position?.score, id: position?.id ?? '' };
  const [members, rows] = await store.call(scanSet, keys, from, fields);
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
