import type { SettingSetPort } from '../../../../application/ports/setting-set-port.ts';
import {
  settingKey,
  settingOfKey,
  type SettingSetChange,
  type SettingSetPage,
} from '../../../../domain/policies/setting-set.ts';
import type { Page } from '../../../../domain/values/page.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import { ownKey } from '../layout/own-keys.ts';
import { changeSettingSet } from '../scripts/kept.ts';

/** Which settings belong to which sets, in one sorted set: the name of the set, a space, and the key of the setting. */
export class RedisSettingSets implements SettingSetPort {
  readonly #commands: StoreCommands;
  readonly #settings: string;

  constructor(commands: StoreCommands, prefix: string) {
    this.#commands = commands;
    this.#settings = ownKey(prefix, 'setting-sets');
  }

  async change(
    set: string,
    { add = [], remove = [] }: SettingSetChange,
    most: number,
  ): Promise<number | undefined> {
    const keys = { settings: this.#settings };
    const args = { set, most, removals: remove.length };
    const changed = [...remove, ...add].map(settingKey);
    const total = await this.#commands.call(changeSettingSet, keys, args, changed);
    return total < 0 ? undefined : total;
  }

  async list(set: string, { start, length }: Page): Promise<SettingSetPage> {
    const key = this.#settings;
    // What begins with the name and a space: the character after the space is the next bound.
    const [from, to] = [`[${set} `, `(${set}!`];
    const [total, members] = await this.#commands.run((client) =>
      Promise.all([
        client.zlexcount(key, from, to),
        length === 0 ? [] : client.zrangebylex(key, from, to, 'LIMIT', start, length),
      ]),
    );
    return { total, settings: members.map((member) => settingOfKey(member.slice(set.length + 1))) };
  }
}
