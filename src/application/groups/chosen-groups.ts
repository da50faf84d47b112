import { invalidRequest } from '../../domain/errors.ts';
import type { GroupStanding } from '../../domain/groups/group.ts';
import { namePattern, namePatternShape } from '../../domain/queues/name-pattern.ts';
import { checkShape } from '../../domain/values/check-shape.ts';
import { checkPage, type Page } from '../../domain/values/page.ts';

/** The sort keys of groups: ids in ascending order, numbers from the largest, and waiting times from the longest. */
export const GROUP_SORTS = ['id', 'waiting', 'active', 'oldest'] as const;

export type GroupSort = (typeof GROUP_SORTS)[number];

/** Which groups to list. */
export const GROUP_STATES = ['blocked', 'paused'] as const;

export type GroupState = (typeof GROUP_STATES)[number];

export interface GroupsQuery extends Page {
  readonly sort: GroupSort;
  readonly state: GroupState | undefined;
  /** A pattern of ids, in which `*` stands for any characters. */
  readonly id: string | undefined;
}

/** The last group that a page may reach unless groups are sorted by id: so many are kept while a list is read. */
export const MOST_SORTED = 10_000;

const ORDERS: Readonly<
  Record<Exclude<GroupSort, 'id'>, (one: GroupStanding, other: GroupStanding) => number>
> = {
  waiting: (one, other) => other.waiting - one.waiting,
  active: (one, other) => other.active - one.active,
  oldest: (one, other) => (one.waitingSince ?? Infinity) - (other.waitingSince ?? Infinity) || 0,
};

/** @throws DomainError `invalid-request` naming the parameter. */
export function checkGroupsQuery({ start, length, sort, id }: GroupsQuery): void {
  checkPage({ start, length });
  if (id !== undefined) checkShape(namePatternShape, id, 'id');
  if (sort !== 'id' && start + length > MOST_SORTED) {
    throw invalidRequest(
      `start and length must reach at most ${MOST_SORTED} unless sort is id`,
      'start',
    );
  }
}

/** A page of groups, chosen from all of them while they are read. It keeps no more of them than it needs. */
export class ChosenGroups {
  readonly #query: GroupsQuery;
  readonly #matches: (id: string) => boolean;
  readonly #order: ((one: GroupStanding, other: GroupStanding) => number) | undefined;
  readonly #first: GroupStanding[] = [];
  #total = 0;

  constructor(query: GroupsQuery) {
    this.#query = query;
    this.#matches = query.id === undefined ? () => true : namePattern(query.id);
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
