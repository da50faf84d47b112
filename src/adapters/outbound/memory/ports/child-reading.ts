import { MOST_CHILDREN_BYTES, type JobAddress } from '../../../../domain/flows/flow.ts';
import type { ChildEnd } from '../state/child-end.ts';
import type { StoredChild } from '../state/children.ts';
import type { StoredJob } from '../state/stored-job.ts';
import type { StoredQueue } from '../state/stored-queue.ts';
import { LARGEST_PIECE } from './pieces.ts';

/** Children of which one read has the return values, at most. */
const MOST_AT_ONCE = 1000;

/** A child, and what it returned as JSON; undefined where that is too long to be read. */
export interface ReadChild {
  readonly child: StoredChild;
  readonly returned: string | undefined;
}

/** Reads what the children of jobs of one queue returned, in memory or on a disk. */
export class ChildReading {
  readonly #queue: StoredQueue;

  constructor(queue: StoredQueue) {
    this.#queue = queue;
  }

  /**
   * The children of a job as they are now, without those that it knows no longer.
   *
   * @param addresses of few enough children for their return values to be in memory at once.
   * @param longest how many characters a return value may have that is on a disk; longer ones are not read.
   */
  async read(
    parentId: string,
    addresses: readonly JobAddress[],
    longest = Infinity,
  ): Promise<readonly ReadChild[]> {
    const read = new Map<ChildEnd, string>();
    for (;;) {
      const children = this.#asTheyAre(parentId, addresses);
      const unread = children.filter(
        ({ ending }) => ending?.isWhole === false && ending.length <= longest && !read.has(ending),
      );
      if (unread.length === 0) {
        return children.map((child) => ({ child, returned: returnedBy(child, read) }));
      }
      const found = await this.#find(parentId, unread.slice(0, MOST_AT_ONCE));
      for (const [child, returned] of found) if (child.ending) read.set(child.ending, returned);
    }
  }

  /** Reads into memory what a call of the job carries of what its children returned, all of it at once. */
  async fetch({ id, children }: StoredJob): Promise<void> {
    const read = await this.read(id, children?.elsewhere(MOST_CHILDREN_BYTES) ?? []);
    for (const { child, returned } of read) {
      if (child.ending?.isWhole !== false || returned === undefined) continue;
      this.#queue.jobs.completeChild(id, child, returned);
    }
  }

  #asTheyAre(parentId: string, addresses: readonly JobAddress[]): readonly StoredChild[] {
    const children = this.#queue.jobs.find(parentId)?.children;
    return addresses.flatMap((address) => children?.find(address) ?? []);
  }

  /** At least that of the first child. */
  async #find(
    parentId: string,
    children: readonly StoredChild[],
  ): Promise<readonly (readonly [StoredChild, string])[]> {
    const { details, name } = this.#queue;
    const found = await details.returned(name, parentId, children, LARGEST_PIECE);
    return found.map((returned, index) => [children[index] as StoredChild, returned]);
  }
}

function returnedBy(
  { ending }: StoredChild,
  read: ReadonlyMap<ChildEnd, string>,
): string | undefined {
  if (ending === undefined) return 'null';
  return ending.isWhole ? ending.returnvalue : read.get(ending);
}
