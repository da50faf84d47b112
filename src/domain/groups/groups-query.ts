import { invalidRequest } from '../errors.ts';
import { namePatternShape } from '../queues/name-pattern.ts';
import { checkShape } from '../values/check-shape.ts';
import { checkPage, type Page } from '../values/page.ts';

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
