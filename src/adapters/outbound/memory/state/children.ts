import type { ChildEnding } from '../../../../domain/flows/family.ts';
import { inFlowOrder, type JobAddress } from '../../../../domain/flows/flow.ts';
import type { Child } from '../../../../domain/records/child-record.ts';
import type { ChildrenState } from '../../../../domain/transitions/queue-state.ts';

/** A child as it is written. */
export type WrittenChild = Pick<Child, 'number' | 'onFailure' | 'ending'>;

/** The children of one job. */
export class Children implements ChildrenState {
  readonly #byKey = new Map<string, Child>();
  readonly #changed: (child: Child) => void;
  #waitsFor = 0;

  /** @param changed receives each child that ends, starts over or is forgotten. */
  constructor(changed: (child: Child) => void) {
    this.#changed = changed;
  }

  /** A child that has ended comes from a record. */
  add(child: Child): void {
    this.#byKey.set(keyOf(child), child);
    if (child.ending === undefined) this.#waitsFor += 1;
  }

  /** Takes a child as it is written in place of what is known of it; undefined when the parent knows it no longer. */
  replace({ queue, id }: JobAddress, child: WrittenChild | undefined): void {
    const before = this.#byKey.get(keyOf({ queue, id }));
    if (before !== undefined && before.ending === undefined) this.#waitsFor -= 1;
    if (child === undefined) this.#byKey.delete(keyOf({ queue, id }));
    else this.add({ queue, id, ...child });
  }

  /** A child as it is written; undefined when the parent knows none of that name. */
  record(address: JobAddress): WrittenChild | undefined {
    const child = this.#byKey.get(keyOf(address));
    if (child === undefined) return undefined;
    const { number, onFailure, ending } = child;
    return { number, onFailure, ...(ending && { ending }) };
  }

  /** In the order of their ids. */
  get all(): readonly Child[] {
    return inFlowOrder(this.known);
  }

  get waitsFor(): number {
    return this.#waitsFor;
  }

  get known(): readonly Child[] {
    return [...this.#byKey.values()];
  }

  /** Those that the parent waits for, in the order in which they were added. */
  *awaited(): Generator<Child> {
    for (const child of this.#byKey.values()) if (child.ending === undefined) yield child;
  }

  waitedFor(address: JobAddress): Child | undefined {
    const child = this.#byKey.get(keyOf(address));
    return child?.ending === undefined ? child : undefined;
  }

  end(child: Child, state: ChildEnding, returnvalue: string): void {
    this.#byKey.set(keyOf(child), { ...child, ending: { state, returnvalue } });
    this.#waitsFor -= 1;
    this.#changed(child);
  }

  startOver(address: JobAddress): void {
    const child = this.#byKey.get(keyOf(address));
    if (child?.ending === undefined) return;
    const { queue, id, number, onFailure } = child;
    this.#byKey.set(keyOf(child), { queue, id, number, onFailure });
    this.#waitsFor += 1;
    this.#changed(child);
  }

  redact(address: JobAddress): void {
    const child = this.#byKey.get(keyOf(address));
    if (child?.ending === undefined || child.ending.returnvalue === 'null') return;
    this.#byKey.set(keyOf(child), { ...child, ending: { ...child.ending, returnvalue: 'null' } });
    this.#changed(child);
  }

  forget(child: Child): void {
    this.#byKey.delete(keyOf(child));
    this.#waitsFor -= 1;
    this.#changed(child);
  }
}

/** The name of a queue has no colon. */
function keyOf({ queue, id }: JobAddress): string {
  return `${queue}:${id}`;
}
