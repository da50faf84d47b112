/* eslint-disable @typescript-eslint/require-await -- async turns what a step throws into a rejection */
import type { SettingSetPort } from '../../../../application/ports/setting-set-port.ts';
import { settingKey, settingOfKey } from '../../../../domain/policies/setting-set.ts';
import { byteOrder } from '../../../../domain/values/byte-order.ts';
import type { StoreRecords } from '../records/store-records.ts';
import { SortedTree } from '../state/sorted-tree.ts';

/** That a setting belongs to a set. */
interface Membership {
  readonly set: string;
  /** See `settingKey`. */
  readonly setting: string;
}

type Keys = InstanceType<typeof SortedTree<string, Membership>>;

/** Sets of settings in the memory of this process. */
export function memorySettingSets(records: StoreRecords): SettingSetPort {
  /** The settings of each set that has some, in order. */
  const sets = new Map<string, Keys>();
  // By the name of the set, which has no spaces, a space and the key of the setting.
  const memberships = records.map<Membership>('setting-of-set', (_, now, before) => {
    const membership = now ?? before;
    if (membership === undefined) return;
    const { set, setting } = membership;
    const keys: Keys = sets.get(set) ?? new SortedTree(undefined, byteOrder);
    if (now === undefined) keys.delete(setting);
    else keys.set(setting, now);
    if (keys.size === 0) sets.delete(set);
    else sets.set(set, keys);
  });
  return {
    change: async (set, { add = [], remove = [] }, most) => {
      const added = new Set(add.map(settingKey));
      const removed = new Set(remove.map(settingKey).filter((key) => !added.has(key)));
      const keys = sets.get(set);
      const more = [...added].filter((key) => keys?.has(key) !== true);
      const fewer = [...removed].filter((key) => keys?.has(key) === true);
      const growth = more.length - fewer.length;
      if (growth > 0 && memberships.size + growth > most) return undefined;
      for (const setting of fewer) memberships.remove(`${set} ${setting}`);
      for (const setting of more) memberships.put(`${set} ${setting}`, { set, setting });
      return sets.get(set)?.size ?? 0;
    },
    list: async (set, { start, length }) => {
      const keys = sets.get(set);
      const found: string[] = [];
      let passed = 0;
      for (const key of keys?.keys() ?? []) {
        if (found.length >= length) break;
        if (passed >= start) found.push(key);
        passed += 1;
      }
      return { total: keys?.size ?? 0, settings: found.map(settingOfKey) };
    },
  };
}
