import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import type { Redis } from 'ioredis';
import { LUA_FOLDER, luaRooms } from '../support/redis/lua-rooms.ts';

/** Where the scripts of plays note which of their rules ran. */
const KEY = 'lua-coverage';

/** The head of a function of Lua, before its body. */
const FUNCTION = /^([ \t]*(?:local )?function [\w.:]+\([^)\n]*\))/gm;

/** The rules of Lua that ran on the Redis of plays. A rule is a file with functions that steps include. */
export class LuaCoverage {
  readonly #rules = new Set<string>();

  /**
   * Has every rule that is read from now on note that it ran. To be called before the adapters are loaded, which read
   * their scripts then.
   */
  static begin(): LuaCoverage {
    const coverage = new LuaCoverage();
    const { readFileSync } = fs;
    const paths = new Map(luaRooms().rules.map((rule) => [`${join(LUA_FOLDER, rule)}.lua`, rule]));
    fs.readFileSync = ((path: string, encoding: BufferEncoding) => {
      const text = readFileSync(path, encoding);
      const file = paths.get(path);
      return file === undefined ? text : coverage.#noting(text, file);
    }) as typeof fs.readFileSync;
    syncBuiltinESMExports();
    return coverage;
  }

  #noting(lua: string, rule: string): string {
    const noting = lua.replaceAll(FUNCTION, `$1 redis.call("SADD", "${KEY}", "${rule}");`);
    if (noting !== lua) this.#rules.add(rule);
    return noting;
  }

  /** The share of the rules that ran, and the names of those that did not. */
  async report(redis: Redis): Promise<string> {
    const ran = new Set(await redis.smembers(KEY));
    const missed = [...this.#rules].filter((rule) => !ran.has(rule)).toSorted();
    const share = Math.round((100 * (this.#rules.size - missed.length)) / this.#rules.size);
    const others = missed.length === 0 ? '' : `; not: ${missed.join(', ')}`;
    return `${share} % of ${this.#rules.size} Lua rules ran${others}`;
  }
}
