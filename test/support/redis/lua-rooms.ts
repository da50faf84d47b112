import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPLACED } from '../../../src/adapters/outbound/redis/lua/library.ts';

export const LUA_FOLDER = join(import.meta.dirname, '../../../src/adapters/outbound/redis/lua');

const INCLUDE = /^[ \t]*--- @include "([^"]+)"/gm;

/** The files of Lua by their paths without the ending: scripts, and the rules that these include. */
export function luaRooms(): {
  readonly scripts: readonly string[];
  readonly rules: readonly string[];
} {
  const files = readdirSync(LUA_FOLDER, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.lua'))
    .map((file) => file.slice(0, -'.lua'.length));
  const included = new Set(Object.values(REPLACED));
  for (const file of files) {
    const text = readFileSync(join(LUA_FOLDER, `${file}.lua`), 'utf8');
    for (const [, path = ''] of text.matchAll(INCLUDE)) included.add(path);
  }
  return {
    scripts: files.filter((file) => !included.has(file)),
    rules: files.filter((file) => included.has(file)),
  };
}
