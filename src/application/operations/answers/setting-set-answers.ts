import { settingNameShape } from '../../../domain/policies/setting-set.ts';
import { integer, listOf, object, required } from '../../../domain/values/shape.ts';

const total = required(integer(0), 'How many settings the set has, on all pages');

export const changedSettingSetAnswer = object('ChangedSettingSet', { total });

export const settingSetAnswer = object('SettingSet', {
  total,
  settings: required(listOf(settingNameShape), 'The settings of the page'),
});
