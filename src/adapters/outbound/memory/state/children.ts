import type { ChildEnding } from '../../../../domain/flows/family.ts';
import { inFlowOrder, type JobAddress } from '../../../../domain/flows/flow.ts';
import type { Child } from '../../../../domain/records/child-record.ts';
import type { ChildrenState, EndOfAdded } from '../../../../domain/transitions/queue-state.ts';
import { ChildEnd, type WrittenEnd, type WrittenReturn } from './child-end.ts';

/** A child in memory. */
export interface StoredChild extends Child {
  readonly ending?: ChildEnd;
}

/** A child as its parent knows it, without its address. */
export type KnownOfChild = Pick<StoredChild, 'number' | 'onFailure' | 'ending'>;

/** The same as it is written. */
export interface WrittenChild extends Pick<Child, 'number' | 'onFailure'> {
  readonly ending?: WrittenEnd;
}

/** A child as it was written. @param isOnDisk whether its return value stays there. */
export function restoredChild({ ending, ...child }: WrittenChild, isOnDisk: boolean): KnownOfChild {
  if (ending === undefined) return child;
  return { ...child, ending: isOnDisk ? ChildEnd.onDisk(ending) : new ChildEnd(ending) };
}

/** Receives what happens to the children of a job. */
interface ChildrenListener {
  /** A child ends, starts over, is redacted or forgotten. @param ends the one that it had, and the one that it has. */
  changed(child: JobAddress, ...ends: readonly (ChildEnd | undefined)[]): void;
  /** An end of a child does not count any more. */
  outdated(end: ChildEnd): void;
}

/** The children of one job. */
export class Children implements ChildrenState {
  readonly #byKey = new Map<string, StoredChild>();
  readonly #listener: ChildrenListener;
  #waitsFor = 0;

  constructor(listener: ChildrenListener) {
    this.#listener = listener;
  }

  /** A child that has ended comes from a record. */
  add(child: StoredChild): void {
    this.#byKey.set(keyOf(child), child);
    if (child.ending === undefined) this.#waitsFor += 1;
  }

  /** Takes what is known of a child from now on; undefined when the parent knows it no longer. */
  replace({ queue, id }: JobAddress, known: KnownOfChild | undefined): void {
    const before = this.find({ queue, id });
    if (before?.ending !== undefined) this.#listener.outdated(before.ending);
    else if (before !== undefined) this.#waitsFor -= 1;
    if (known === undefined) this.#byKey.delete(keyOf({ queue, id }));
    else this.add({ queue, id, ...known });
  }

  /**
   * A child as it is written; undefined when the parent knows none of that name.
   *
   * @throws Error when what it returned is on a disk alone: its record is never to be written again.
   */
  record(address: JobAddress): WrittenChild | undefined {
    const child = this.find(address);
    if (child === undefined) return undefined;
    const { number, onFailure, ending } = child;
    return { number, onFailure, ...(ending && { ending: ending.written }) };
  }

  /** The record of a long return value; undefined where there is none. @throws Error as {@link record} does. */
  returned(address: JobAddress): WrittenReturn | undefined {
    const ending = this.find(address)?.ending;
    return ending?.isLong === true ? { returnvalue: ending.value } : undefined;
  }

  find(address: JobAddress): StoredChild | undefined {
    return this.#byKey.get(keyOf(address));
  }

  endOf(address: JobAddress): EndOfAdded | undefined {
    return this.find(address)?.ending;
  }

  /** In the order of their ids. */
  get all(): readonly StoredChild[] {
    return inFlowOrder(this.known);
  }

  get waitsFor(): number {
    return this.#waitsFor;
  }

  get known(): readonly StoredChild[] {
    return [...this.#byKey.values()];
  }

  /** Those of the first children that return up to `most` characters together whose return values are on a disk alone. */
  elsewhere(most: number): readonly StoredChild[] {
    if (!this.#areSomeElsewhere()) return [];
    let left = most;
    return this.all.filter(({ ending }) => {
      left -= ending?.length ?? 0;
      return left >= 0 && ending?.isWhole === false;
    });
  }

  /** Those that the parent waits for, in the order in which they were added. */
  *awaited(): Generator<StoredChild> {
    for (const child of this.#byKey.values()) if (child.ending === undefined) yield child;
  }

  waitedFor(address: JobAddress): StoredChild | undefined {
    const child = this.find(address);
    return child?.ending === undefined ? child : undefined;
  }

  end({ queue, id, number, onFailure }: Child, state: ChildEnding, returnvalue: string): void {
    const ending = new ChildEnd({ state, returnvalue });
    this.#change({ queue, id, number, onFailure, ending });
  }

  startOver(address: JobAddress): void {
    const child = this.find(address);
    if (child?.ending === undefined) return;
    const { queue, id, number, onFailure } = child;
    this.#change({ queue, id, number, onFailure });
  }

  redact(address: JobAddress): void {
    const child = this.find(address);
    const ending = child?.ending?.redacted();
    if (child === undefined || ending === undefined || ending === child.ending) return;
    this.#change({ ...child, ending });
  }

  forget({ queue, id }: JobAddress): void {
    const before = this.find({ queue, id })?.ending;
    this.replace({ queue, id }, undefined);
    this.#listener.changed({ queue, id }, before, undefined);
  }

  #change(child: StoredChild): void {
    const before = this.find(child)?.ending;
    this.replace(child, child);
    this.#listener.changed(child, before, child.ending);
  }

  #areSomeElsewhere(): boolean {
    for (const { ending } of this.#byKey.values()) if (ending?.isWhole === false) return true;
    return false;
  }
}

/** The name of a queue has no colon. */
function keyOf({ queue, id }: JobAddress): string {
  return `${queue}:${id}`;
}
