/* eslint-disable @typescript-eslint/require-await -- async turns what a step throws into a rejection */
import type { SettingSetPort } from '../../../../application/ports/setting-set-port.ts';
import {
  settingKey,
  settingOfKey,
  type SettingSetChange,
  type SettingSetPage,
} from '../../../../domain/policies/setting-set.ts';
import { byteOrder } from '../../../../domain/values/byte-order.ts';
import type { Page } from '../../../../domain/values/page.ts';
import type { RecordChanges } from '../records/record-changes.ts';
import { StoreRecords } from '../records/store-records.ts';
import { SortedTree } from '../state/sorted-tree.ts';

/** That a setting belongs to a set. */
interface Membership {
  readonly set: string;
  /** See `settingKey`. */
  readonly setting: string;
}

type Keys = InstanceType<typeof SortedTree<string, Membership>>;

/** Sets of settings in the memory of this process. */
export class MemorySettingSets implements SettingSetPort {
  readonly #changes: RecordChanges;
  /** The settings of each set that has some, in order. */
  readonly #sets = new Map<string, Keys>();
  #size = 0;

  constructor(records = new StoreRecords()) {
    this.#changes = records.changes;
    records.keep('setting-of-set', {
      read: (_, id) => {
        const { set, setting } = membershipOf(id);
        return this.#sets.get(set)?.get(setting);
      },
      restore: (_, id) => {
        this.#put(membershipOf(id));
      },
      replace: (_, id, record) => {
        if (record === undefined) this.#take(membershipOf(id));
        else this.#put(membershipOf(id));
      },
    });
  }

  async change(
    set: string,
    { add = [], remove = [] }: SettingSetChange,
    most: number,
  ): Promise<number | undefined> {
    const added = new Set(add.map(settingKey));
    const removed = new Set(remove.map(settingKey).filter((key) => !added.has(key)));
    const [more, fewer] = [
      [...added].filter((key) => !this.#has(set, key)),
      [...removed].filter((key) => this.#has(set, key)),
    ];
    if (more.length > fewer.length && this.#size + more.length - fewer.length > most)
      return undefined;
    for (const setting of fewer) this.#take({ set, setting });
    for (const setting of more) this.#put({ set, setting });
    for (const setting of [...fewer, ...more]) {
      this.#changes.note('setting-of-set', '', idOf({ set, setting }));
    }
    return this.#sets.get(set)?.size ?? 0;
  }

  async list(set: string, { start, length }: Page): Promise<SettingSetPage> {
    const keys = this.#sets.get(set);
    const found: string[] = [];
    let passed = 0;
    for (const key of keys?.keys() ?? []) {
      if (found.length >= length) break;
      if (passed >= start) found.push(key);
      passed += 1;
    }
    return { total: keys?.size ?? 0, settings: found.map(settingOfKey) };
  }

  #has(set: string, setting: string): boolean {
    return this.#sets.get(set)?.has(setting) === true;
  }

  #put(membership: Membership): void {
    const { set, setting } = membership;
    const keys: Keys =
      this.#sets.get(set) ?? new SortedTree<string, Membership>(undefined, byteOrder);
    this.#sets.set(set, keys);
    if (keys.set(setting, membership)) this.#size += 1;
  }

  #take({ set, setting }: Membership): void {
    const keys = this.#sets.get(set);
    if (keys?.delete(setting) === true) this.#size -= 1;
    if (keys?.size === 0) this.#sets.delete(set);
  }
}

/** The id of its record. Names of sets have no spaces. */
function idOf({ set, setting }: Membership): string {
  return `${set} ${setting}`;
}

function membershipOf(id: string): Membership {
  const end = id.indexOf(' ');
  return { set: id.slice(0, end), setting: id.slice(end + 1) };
}
