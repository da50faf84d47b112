import { MOST_CHILDREN_BYTES, type JobAddress } from '../../../../domain/flows/flow.ts';
import { childRecordId } from '../records/job-record.ts';
import type { ValueKind } from '../records/kept-values.ts';
import { recordKey } from '../records/record-ids.ts';
import { readPieces } from '../records/value-reading.ts';
import type { WrittenReturn } from '../state/child-end.ts';
import type { StoredChild, WrittenChild } from '../state/children.ts';
import type { StoredJob } from '../state/stored-job.ts';
import type { StoredQueue } from '../state/stored-queue.ts';

/** Children of which one read has the return values, at most. */
const MOST_AT_ONCE = 1000;

/** A child, and what it returned as JSON; undefined where that is too long to be read. */
export interface ReadChild {
  readonly child: StoredChild;
  readonly returned: string | undefined;
}

/**
 * Some children of a job with what they returned, in memory or on a disk, without those that it knows no longer.
 *
 * @param addresses of few enough children for their return values to be in memory at once.
 * @param longest how many characters a return value may have that is on a disk; longer ones are not read.
 */
export async function readChildren(
  { name, jobs, values }: StoredQueue,
  parentId: string,
  addresses: readonly JobAddress[],
  longest = Infinity,
): Promise<readonly ReadChild[]> {
  const find = (address: JobAddress): StoredChild | undefined =>
    jobs.find(parentId)?.children?.find(address);
  const pieces = readPieces(values, addresses, {
    kind: returnValues(parentId, name),
    most: MOST_AT_ONCE,
    elsewhere: (address): StoredChild | undefined => {
      const child = find(address);
      return child?.ending?.isWhole === false && child.ending.length <= longest ? child : undefined;
    },
    show: (address, read): ReadChild | undefined => {
      const child = find(address);
      if (child?.ending === undefined) return child && { child, returned: 'null' };
      const { isWhole } = child.ending;
      return { child, returned: isWhole ? child.ending.value : read };
    },
    sizeOf: (child) => child?.returned?.length ?? 0,
  });
  const read: ReadChild[] = [];
  for await (const piece of pieces) read.push(...piece.flatMap((child) => child ?? []));
  return read;
}

/** Reads into memory what a call of a job carries of what its children returned, all of it at once. */
export async function fetchReturned(
  queue: StoredQueue,
  { id, children }: StoredJob,
): Promise<void> {
  const read = await readChildren(queue, id, children?.elsewhere(MOST_CHILDREN_BYTES) ?? []);
  for (const { child, returned } of read) {
    if (child.ending?.isWhole !== false || returned === undefined) continue;
    queue.jobs.completeChild(id, child, returned);
  }
}

/** Reads the return values of the children of a job, as JSON; `null` for a child that is gone or has not ended. */
function returnValues(
  parentId: string,
  queue: StoredQueue['name'],
): ValueKind<StoredChild, string> {
  return {
    keys: (child) => {
      const id = childRecordId(parentId, child);
      const apart = child.ending?.isLong === true ? [recordKey('returned', queue, id)] : [];
      return [recordKey('child', queue, id), ...apart];
    },
    value: ([text = '{}', apart = '{}']) => {
      const { ending } = JSON.parse(text) as Partial<WrittenChild>;
      const { returnvalue = 'null' } = JSON.parse(apart) as Partial<WrittenReturn>;
      return ending?.returnvalue ?? returnvalue;
    },
  };
}
