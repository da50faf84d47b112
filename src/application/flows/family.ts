import { severalAtOnce } from '../running/several-at-once.ts';
import { keptOrMade } from '../../domain/values/kept-or-made.ts';
import type { JobAddress } from '../../domain/flows/flow.ts';
import { piecesOf } from '../../domain/values/pieces.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';

/** How many jobs are read or changed concurrently. */
export const MEMBERS_AT_ONCE = 50;

/** A job and all its descendants, level by level. Includes removed jobs that their parents still list. */
export async function familyOf(
  childrenOf: (job: JobAddress) => Promise<readonly JobAddress[]>,
  root: JobAddress,
): Promise<readonly (readonly JobAddress[])[]> {
  const levels: (readonly JobAddress[])[] = [];
  const seen = new Set<string>();
  const isNew = ({ queue, id }: JobAddress): boolean => {
    const size = seen.size;
    return seen.add(`${queue}:${id}`).size > size;
  };
  let level: readonly JobAddress[] = [root].filter(isNew);
  while (level.length > 0) {
    levels.push(level);
    const children = await severalAtOnce(level, MEMBERS_AT_ONCE, childrenOf);
    level = children.flat().filter(isNew);
  }
  return levels;
}

/** The ids of the jobs by queue. */
export function inQueues(jobs: readonly JobAddress[]): ReadonlyMap<QueueName, readonly string[]> {
  const queues = new Map<QueueName, string[]>();
  for (const { queue, id } of jobs) keptOrMade(queues, queue, () => []).push(id);
  return queues;
}

export function inGroups<Item>(items: readonly Item[]): readonly (readonly Item[])[] {
  return piecesOf(items, MEMBERS_AT_ONCE);
}
