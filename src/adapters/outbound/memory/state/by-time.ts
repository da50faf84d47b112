import { SortedTree } from './sorted-tree.ts';

/** Those of the jobs or other things of a queue that have a time of some kind, the earliest first. */
export class ByTime<Thing> {
  readonly #things = new SortedTree<readonly [time: number, id: string], Thing>(
    undefined,
    ([at, id], [otherAt, otherId]) => at - otherAt || (id < otherId ? -1 : Number(id > otherId)),
  );

  /** Does nothing without a time. @param time epoch ms. */
  add(time: number | undefined, id: string, thing: Thing): void {
    if (time !== undefined) this.#things.set([time, id], thing);
  }

  /** @param time the one that it was added with. */
  remove(time: number | undefined, id: string): void {
    if (time !== undefined) this.#things.delete([time, id]);
  }

  /** In their order. */
  [Symbol.iterator](): IterableIterator<Thing> {
    return this.#things.values();
  }

  /** The first one, unless its time is after `most`. */
  first(most = Infinity): Thing | undefined {
    const key = this.#things.minKey();
    return key !== undefined && key[0] <= most ? this.#things.get(key) : undefined;
  }
}
