import type { GroupsPage } from '../../groups/groups.ts';
import { groupSettingsShape } from '../../../domain/groups/group-settings.ts';
import { GROUP_REASONS, type BlockedGroup, type Group } from '../../../domain/groups/group.ts';
import {
  boolean,
  integer,
  listOf,
  nullable,
  numberFrom,
  object,
  oneOf,
  optional,
  required,
  string,
  type Field,
} from '../../../domain/values/shape.ts';

const time = integer(0);

const blockedGroupAnswer = object('BlockedGroup', {
  reason: required(oneOf(...GROUP_REASONS), 'Why no job of the group starts'),
  until: optional(time, 'When that ends by itself, in milliseconds since 1970'),
  job: optional(string, 'The job that failed, or is to be tried again before the others'),
} as const satisfies Record<keyof BlockedGroup, Field>);

export const groupAnswer = object('Group', {
  id: required(string, 'The id of the group; empty for the jobs without one'),
  waiting: required(integer(0), 'How many of its jobs wait'),
  active: required(integer(0), 'How many of its jobs run'),
  delayed: required(integer(0), 'How many of its jobs are delayed'),
  oldestWaiting: required(
    nullable(integer(0)),
    'The age of its waiting job that is next, in milliseconds; null when none waits',
  ),
  share: required(numberFrom(0, 1), 'Its part of the starts of the last five minutes'),
  paused: required(boolean, 'Whether it is paused'),
  heldUntil: required(nullable(time), 'Until when it is held, in milliseconds since 1970'),
  blocked: required(nullable(blockedGroupAnswer), 'Why none of its waiting jobs starts'),
  settings: required(nullable(groupSettingsShape), 'Its own settings'),
} as const satisfies Record<keyof Group, Field>);

export const groupsPageAnswer = object('GroupsPage', {
  total: required(integer(0), 'How many groups there are on all pages'),
  groups: required(listOf(groupAnswer), 'The groups of the page'),
} as const satisfies Record<keyof GroupsPage, Field>);
