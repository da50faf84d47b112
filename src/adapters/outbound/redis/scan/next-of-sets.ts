import { MOST_JOBS } from '../layout/largest-piece.ts';
import type { QueueKeys } from '../layout/queue-keys.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import { scanGroups, scanSet, type Row } from '../scripts/reading.ts';
import { idInGroup, type NextJobs, type SetPosition } from './scan-places.ts';

/** How many ids one run reads without jobs, in a millisecond or two. */
const IDS_PER_RUN = 2000;

/** A job of a set, and the position after it. */
type Member = readonly [id: string, position: readonly unknown[]];

/** The jobs of a sorted set that come after a position. @param fields which fields to read of each job's hash. */
export async function nextOfSet(
  store: StoreCommands,
  keys: QueueKeys,
  key: string,
  position: SetPosition | undefined,
  fields: readonly string[],
): Promise<NextJobs> {
  const most = mostWith(fields);
  const from = { set: key, most, score: position?.score, id: position?.id ?? '' };
  const [listed, rows] = await store.call(scanSet, keys, from, fields);
  const members = listed.flatMap((id, index): Member[] =>
    index % 2 === 0 ? [[id, [listed[index + 1], id]]] : [],
  );
  return nextOf(members, rows, most, position === undefined ? [] : [position.score, position.id]);
}

/** The waiting jobs of groups that come after one of them. @param fields as of `nextOfSet`. */
export async function nextOfGroups(
  store: StoreCommands,
  keys: QueueKeys,
  key: string,
  after: string | undefined,
  fields: readonly string[],
): Promise<NextJobs> {
  const most = mostWith(fields);
  const from = { set: key, most, after: after ?? '' };
  const [listed, rows] = await store.call(scanGroups, keys, from, fields);
  const members = listed.map((member): Member => [idInGroup(member), [member]]);
  return nextOf(members, rows, most, after === undefined ? [] : [after]);
}

function mostWith(fields: readonly string[]): number {
  return fields.length === 0 ? IDS_PER_RUN : MOST_JOBS;
}

function nextOf(
  members: readonly Member[],
  rows: readonly Row[] | undefined,
  most: number,
  start: readonly unknown[],
): NextJobs {
  const count = rows?.length ?? members.length;
  return {
    ids: members.slice(0, count).map(([id]) => id),
    ...(rows && { rows }),
    goesOn: count < members.length || members.length === most,
    positionAfter: (taken) => members[taken - 1]?.[1] ?? start,
  };
}
