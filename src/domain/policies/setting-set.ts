import { plainName } from '../values/plain-name.ts';
import { printableText } from '../values/printable-text.ts';
import { SETTING_KINDS, type SettingKind } from '../values/setting-kinds.ts';
import {
  bounded,
  integer,
  listOf,
  object,
  oneOf,
  optional,
  required,
  type Shaped,
} from '../values/shape.ts';

/** How many settings all sets together have at most, so that the store stays small. */
export const MOST_SETTINGS_IN_SETS = 100_000;

/** How many settings a change of a set names at most, of those to add and of those to take out. */
export const MOST_CHANGED_SETTINGS = 1000;

/** The name of a set, as a client chooses it: that of a project, or of a team. */
export const settingSetName = plainName('billing');

const name = printableText(250, 'mail');

export const settingNameShape = object('SettingName', {
  kind: required(oneOf(...SETTING_KINDS), 'The kind of setting'),
  queue: optional(name, 'Its queue; absent for limits, hooks, topics and the policy of all queues'),
  id: optional(
    name,
    'The id of a scheduler, a group or a hook, the name of a limit, or the topic and the id of a subscription with a slash between them',
  ),
});

/** Which setting it is, without what it says. */
export type SettingName = Shaped<typeof settingNameShape>;

const changed = bounded(MOST_CHANGED_SETTINGS, listOf(settingNameShape));

export const settingSetChangeShape = object('SettingSetChange', {
  add: optional(changed, 'The settings that belong to the set from now on'),
  remove: optional(changed, 'The settings that belong to the set no more; they themselves stay'),
});

/** A change of which settings belong to a set. A setting that is in both lists belongs to it. */
export type SettingSetChange = Shaped<typeof settingSetChangeShape>;

export const settingsTotal = required(integer(0), 'How many settings the set has, on all pages');

/** The settings of a set on one page. */
export const settingSetPageShape = object('SettingSet', {
  total: settingsTotal,
  settings: required(listOf(settingNameShape), 'The settings of the page'),
});
export type SettingSetPage = Shaped<typeof settingSetPageShape>;

/** Names a setting among those of a set, as the order of their pages goes by. */
export function settingKey({ kind, queue = '', id = '' }: SettingName): string {
  return JSON.stringify([kind, queue, id]);
}

export function settingOfKey(key: string): SettingName {
  const [kind, queue, id] = JSON.parse(key) as [SettingKind, string, string];
  return { kind, ...(queue !== '' && { queue }), ...(id !== '' && { id }) };
}
