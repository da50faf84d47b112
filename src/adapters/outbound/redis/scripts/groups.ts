import type { GroupReason } from '../../../../domain/groups/group.ts';
import { any, isOne, list, tuple } from './answer-check.ts';
import { number, ofQueue, script, text } from './script.ts';

export type GroupAnswer = readonly [
  id: string,
  waiting: number,
  active: number,
  waitingSince: string,
  starts: number,
  isPaused: number,
  heldUntil: string,
  reason: GroupReason | '',
  until: string,
  job: string,
  settings: string,
];
type Groups = readonly [starts: number, groups: readonly GroupAnswer[]];
export const readGroups = ofQueue(
  'groups/read-groups',
  { defaults: text, minutes: number },
  tuple<Groups>,
);
export const nextGroups = script(
  'groups/next-groups',
  ['waiting'],
  { most: number, after: text },
  list<string>,
);

type Counted = readonly [counts: readonly (string | number)[], isMore: number, running: string[]];
export const countGroupJobs = ofQueue(
  'groups/count-group-jobs',
  { from: number, most: number },
  tuple<Counted>,
);
export const changeGroup = ofQueue(
  'groups/change-group',
  { group: text, what: text, value: text },
  any,
);
export const stageTurn = ofQueue('groups/stage-turn', { timestamp: text, defaults: text }, isOne);
