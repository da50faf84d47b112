import { CONSTANTS } from './constants.ts';
import { checkLibrary, LIBRARY, REPLACED } from './library.ts';
import { luaFile } from './lua-files.ts';
import type { Script } from './script.ts';

/** A line of a Lua file in whose place another file comes, by its path. */
const INCLUDE = /^([ \t]*)--- @include "([^"]+)"[ \t]*$/;

/** The comment at the beginning of a script. */
const HEADER = /^(?:--(?!-).*\n)*/;

/** The line of a script's header that describes a key. */
const KEY = /^-- KEYS\[(\d+)\]/gm;

/** A comment of BullMQ before a function, or beside its includes. */
const COMMENT = /^--\[\[[\s\S]*?\]\]\n|^-- Includes\n/gm;

/** A text or a comment. */
const UNREAD = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|--.*/g;

const NAME = /(?<![.\w])[A-Za-z]\w*/g;

/** A text, a comment, or a name that may be that of a constant. */
const TOKEN = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|--.*|\b[A-Z][A-Z0-9_]+\b/g;

/**
 * The script of a file, by its path without the ending, with what it includes. It has variables for the keys that it
 * uses and for all its arguments; REST is the number of the first argument behind these. A hot script reads KEYS and
 * ARGV itself, and lists them in the header of its file.
 *
 * A file is included once. An include that stands inside a function is private to that function: its definitions cost
 * nothing until the function is called. In place of the names of CONSTANTS stand their values: as variables of the
 * script, each of its functions would have to look for them in every run.
 *
 * @param args the name of each, and the expression of Lua for it.
 * @throws Error when another version of BullMQ is installed than the one with the layout that the scripts write.
 */
export function luaScript(
  path: string,
  keys: readonly string[] = [],
  args: readonly (readonly [name: string, value: string])[] = [],
): Script {
  checkLibrary();
  const [header = ''] = HEADER.exec(luaFile(path)) ?? [];
  const body = withConstants(expanded(path, new Set()).slice(header.length), args.length + 1);
  const used = variablesOf(path);
  const named = keys.map((key, index) => [key, `KEYS[${index + 1}]`] as const);
  const variables = [...named.filter(([key]) => used.has(key)), ...args].map(
    ([variable, value]) => `local ${variable} = ${value}\n`,
  );
  const numbers = [...header.matchAll(KEY)].map(([, number]) => Number(number));
  const own = `local rcall = redis.call\n${variables.join('')}`;
  return {
    name: path.slice(path.lastIndexOf('/') + 1),
    // A definition searches its own function for each variable of it that it names, and takes those of an outer one.
    lua: `${header}\n${own}return (function()\n${body}\nend)()\n`,
    numberOfKeys: Math.max(keys.length, ...numbers),
  };
}

/** The names in the file of a script itself, but for those of fields. */
export function variablesOf(path: string): ReadonlySet<string> {
  return new Set(luaFile(path).replaceAll(UNREAD, '').match(NAME));
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

function withConstants(lua: string, rest: number): string {
  return lua.replaceAll(TOKEN, (token) => {
    const value = token === 'REST' ? rest : CONSTANTS[token];
    return value === undefined ? token : JSON.stringify(value);
  });
}
