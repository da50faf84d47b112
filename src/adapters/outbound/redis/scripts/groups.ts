import type { GroupReason } from '../../../../domain/groups/group.ts';
import { any, isOne, list, tuple } from './answer-check.ts';
import { number, text, scriptsOf } from './script.ts';

const { ofQueue, script } = scriptsOf('groups');

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
  pausedBy: string,
  heldBy: string,
];
type Groups = readonly [starts: number, groups: readonly GroupAnswer[]];
export const readGroups = ofQueue(
  'read-groups',
  { defaults: text, minutes: number },
  tuple<Groups>,
);
export const nextGroups = script(
  'next-groups',
  ['waiting'],
  { most: number, after: text },
  list<string>,
);

type Counted = readonly [counts: readonly (string | number)[], isMore: number, running: string[]];
export const countGroupJobs = ofQueue(
  'count-group-jobs',
  { from: number, most: number },
  tuple<Counted>,
);
const CHANGE = { group: text, what: text, value: text, stop: text };
export const changeGroup = ofQueue('change-group', CHANGE, any);
export const stageTurn = ofQueue('stage-turn', { timestamp: text, defaults: text }, isOne);
