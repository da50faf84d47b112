import type { GroupDefaults } from '../../../../domain/groups/group-settings.ts';
import type { ExaminedGroup, KeptDemand } from '../../../../domain/transitions/groups-state.ts';
import { StoredGroupOrder } from './group-order.ts';
import type { StoredGroup } from './stored-group.ts';

/** What is kept of the demand of the groups of a queue. It follows from the records, and is no part of any. */
export class StoredDemand implements KeptDemand {
  readonly #groups: () => Iterator<StoredGroup, undefined>;
  readonly #changed = new Set<StoredGroup>();
  /** Those that other settings may have changed. A group that is added to the queue comes here too, which does no harm. */
  #others: Iterator<StoredGroup, undefined> = [].values();
  readonly #behind = new Map<StoredGroup, number>();
  readonly #since = new StoredGroupOrder(() => undefined);
  readonly #until = new StoredGroupOrder(() => undefined);
  #total = 0;
  #defaults: string | undefined;

  /** @param groups returns all groups of the queue. */
  constructor(groups: () => Iterator<StoredGroup, undefined>) {
    this.#groups = groups;
  }

  get behind(): number {
    return this.#total;
  }

  get since(): number | undefined {
    return this.#since.firstTime();
  }

  goBy(defaults: GroupDefaults | undefined): void {
    const text = JSON.stringify(defaults);
    if (this.#defaults === text) return;
    this.#defaults = text;
    this.#others = this.#groups();
  }

  take(now: number, most: number): readonly StoredGroup[] {
    const taken: StoredGroup[] = [];
    for (const group of this.#takeEach(now)) if (taken.push(group) >= most) break;
    return taken;
  }

  keep(group: StoredGroup, { behind, since, until }: ExaminedGroup): void {
    this.#total += behind - (this.#behind.get(group) ?? 0);
    if (behind > 0) this.#behind.set(group, behind);
    else this.#behind.delete(group);
    if (since === undefined) this.#since.delete(group);
    else this.#since.set(group, since);
    if (until === Infinity) this.#until.delete(group);
    else this.#until.set(group, until);
  }

  note(group: StoredGroup): void {
    this.#changed.add(group);
  }

  forget(group: StoredGroup): void {
    this.keep(group, { behind: 0, since: undefined, until: Infinity });
    this.#changed.delete(group);
  }

  *#takeEach(now: number): Generator<StoredGroup> {
    for (const group of this.#changed) {
      this.#changed.delete(group);
      yield group;
    }
    let next = this.#others.next().value;
    for (; next !== undefined; next = this.#others.next().value) yield next;
    next = this.#until.first();
    for (
      ;
      next !== undefined && (this.#until.firstTime() ?? 0) <= now;
      next = this.#until.first()
    ) {
      this.#until.delete(next);
      yield next;
    }
  }
}
