import {
  object,
  required,
  oneOf,
  optional,
  time,
  type Shaped,
  integer,
  nullable,
  numberFrom,
  string,
  boolean,
} from '../values/shape.ts';
import { stopFields } from '../values/stop.ts';
import { groupSettingsShape } from './group-settings.ts';

/** Why no job of a group starts. If several reasons apply, the first one counts. */
export const GROUP_REASONS = ['paused', 'held', 'failed-job', 'concurrency', 'limiter'] as const;

export type GroupReason = (typeof GROUP_REASONS)[number];

/** Why no job of a group starts although one waits. */
export const blockedGroupShape = object('BlockedGroup', {
  reason: required(oneOf(...GROUP_REASONS), 'Why no job of the group starts'),
  until: optional(time, 'When that ends by itself, in milliseconds since 1970'),
  job: optional(string, 'The job that failed, or is to be tried again before the others'),
});

export type BlockedGroup = Shaped<typeof blockedGroupShape>;

/** A group without jobs and settings. */
export function emptyGroup(id: string): GroupStanding {
  return {
    id,
    waiting: 0,
    active: 0,
    delayed: 0,
    waitingSince: null,
    share: 0,
    paused: false,
    heldUntil: null,
    blocked: null,
    settings: null,
  };
}

/** The time (ms) over which the starts of groups are compared. */
export const SHARE_WINDOW = 300_000;

/** A group as the API returns it. */
export const groupShape = object('Group', {
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
  ...stopFields,
  blocked: required(nullable(blockedGroupShape), 'Why none of its waiting jobs starts'),
  settings: required(nullable(groupSettingsShape), 'Its own settings'),
});

export type Group = Shaped<typeof groupShape>;

/** The current state of a group of a queue. Times are epoch ms. */
export type GroupStanding = Omit<Group, 'oldestWaiting'> & {
  /** When the first of its waiting jobs could have started; null when none waits. */
  readonly waitingSince: number | null;
};

/** Whether a group has unfinished jobs or settings, or is paused or held. */
export function isShown(group: GroupStanding): boolean {
  const { waiting, active, delayed, paused, heldUntil, settings } = group;
  return waiting + active + delayed > 0 || paused || heldUntil !== null || settings !== null;
}
