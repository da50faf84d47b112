import type { GroupStanding } from '../../domain/groups/group.ts';
import type { GroupSort, GroupsQuery } from '../../domain/groups/groups-query.ts';
import { namePattern } from '../../domain/queues/name-pattern.ts';

const ORDERS: Readonly<
  Record<Exclude<GroupSort, 'id'>, (one: GroupStanding, other: GroupStanding) => number>
> = {
  waiting: (one, other) => other.waiting - one.waiting,
  active: (one, other) => other.active - one.active,
  oldest: (one, other) => (one.waitingSince ?? Infinity) - (other.waitingSince ?? Infinity) || 0,
};

/** A page of groups, chosen from all of them while they are read. It keeps no more of them than it needs. */
export class ChosenGroups {
  readonly #query: GroupsQuery;
  readonly #matches: (id: string) => boolean;
  readonly #order: ((one: GroupStanding, other: GroupStanding) => number) | undefined;
  readonly #first: GroupStanding[] = [];
  #total = 0;

  constructor(query: GroupsQuery) {
    this.#query = query;
    this.#matches = namePattern(query.id);
    this.#order = query.sort === 'id' ? undefined : ORDERS[query.sort];
  }

  /** The number of groups on all pages together. */
  get total(): number {
    return this.#total;
  }

  get groups(): readonly GroupStanding[] {
    return this.#order === undefined ? this.#first : this.#first.slice(this.#query.start);
  }

  /** @param groups behind those before, in the order of their ids. */
  add(groups: readonly GroupStanding[]): void {
    for (const group of groups) {
      if (!this.#isWanted(group)) continue;
      this.#total += 1;
      if (this.#order !== undefined) this.#rank(group, this.#order);
      else if (this.#total > this.#query.start && this.#first.length < this.#query.length) {
        this.#first.push(group);
      }
    }
  }

  #isWanted({ id, blocked, paused }: GroupStanding): boolean {
    const { state } = this.#query;
    const isOfState = state === undefined || (state === 'paused' ? paused : blocked !== null);
    return isOfState && this.#matches(id);
  }

  /** Equal groups stay in the order of their ids. */
  #rank(group: GroupStanding, order: (one: GroupStanding, other: GroupStanding) => number): void {
    const { start, length } = this.#query;
    let [low, high] = [0, this.#first.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const other = this.#first[middle];
      if (other !== undefined && order(other, group) <= 0) low = middle + 1;
      else high = middle;
    }
    if (low >= start + length) return;
    this.#first.splice(low, 0, group);
    if (this.#first.length > start + length) this.#first.pop();
  }
}
