import { CONSTANTS } from './constants.ts';
import { checkLibrary, LIBRARY, REPLACED } from './library.ts';
import { luaFile } from './lua-files.ts';
import type { Script } from './script.ts';

/** A line of a Lua file in whose place another file comes, by its path. */
const INCLUDE = /^([ \t]*)--- @include "([^"]+)"[ \t]*$/;

/** The comment at the beginning of a step. */
const HEADER = /^(?:--(?!-).*\n)*/;

/** The line of a step's header that describes a key. */
const KEY = /^-- KEYS\[(\d+)\]/gm;

/** A comment of BullMQ before a function, or beside its includes. */
const COMMENT = /^--\[\[[\s\S]*?\]\]\n|^-- Includes\n/gm;

/** A text, a comment, or a name that may be that of a constant. */
const TOKEN = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|--.*|\b[A-Z][A-Z0-9_]+\b/g;

/**
 * The script of `steps/<name>.lua` with what it includes. The header of the file lists its keys and arguments.
 *
 * A file is included once. An include that stands inside a function is private to that function: its definitions cost
 * nothing until the function is called. In place of the names of CONSTANTS stand their values: as variables of the
 * script, each of its functions would have to look for them in every run.
 *
 * @throws Error when another version of BullMQ is installed than the one with the layout that the scripts write.
 */
export function luaScript(name: string): Script {
  checkLibrary();
  const step = `steps/${name}`;
  const [header = ''] = HEADER.exec(luaFile(step)) ?? [];
  const body = withConstants(expanded(step, new Set()).slice(header.length));
  const numbers = [...header.matchAll(KEY)].map(([, number]) => Number(number));
  return {
    name,
    lua: `${header}\nlocal rcall = redis.call\n${body}\n`,
    numberOfKeys: Math.max(0, ...numbers),
  };
}

function expanded(path: string, included: Set<string>): string {
  included.add(path);
  const text = path.startsWith(LIBRARY) ? luaFile(path).replaceAll(COMMENT, '') : luaFile(path);
  // Of the includes that stand together inside a function: each is there once.
  let inner = new Set<string>();
  const lines = text
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [, indentation = '', named] = INCLUDE.exec(line) ?? [];
      if (named === undefined) {
        inner = new Set(included);
        return [line];
      }
      const scope = indentation === '' ? included : inner;
      const other = pathOf(named, path);
      return scope.has(other) ? [] : [indented(expanded(other, scope), indentation)];
    });
  return lines.join('\n');
}

function indented(lua: string, indentation: string): string {
  return lua.replaceAll(/^(?=.)/gm, indentation);
}

/** Files of BullMQ name one another without a folder, or with that of all of them. */
function pathOf(named: string, by: string): string {
  const path = by.startsWith(LIBRARY) ? LIBRARY + named.replace(/^includes\//, '') : named;
  return REPLACED[path] ?? path;
}

function withConstants(lua: string): string {
  return lua.replaceAll(TOKEN, (token) => {
    const value = CONSTANTS[token];
    return value === undefined ? token : JSON.stringify(value);
  });
}
