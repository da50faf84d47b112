// The Lua files for the build, in place of the module that reads them from the disk: those that the steps include.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const OWN = 'src/adapters/outbound/redis/lua';
const LIBRARY = 'node_modules/bullmq/dist/cjs/commands/includes';
const INCLUDE = /^[ \t]*--- @include "(?:includes\/)?([^"]+)"/gm;

/** A plugin of esbuild. @param root the folder of the project. */
export function luaFiles(root) {
  return {
    name: 'lua-files',
    setup(build) {
      build.onLoad({ filter: /[\\/]lua-files\.ts$/ }, () => ({
        contents: `const FILES = ${JSON.stringify(included(root))};\nexport const luaFile = (path) => FILES[path];\n`,
      }));
    },
  };
}

function included(root) {
  const files = {};
  const add = (path) => {
    if (files[path] !== undefined) return;
    const library = path.startsWith('bullmq/');
    const file = library ? join(LIBRARY, path.slice('bullmq/'.length)) : join(OWN, path);
    const text = readFileSync(join(root, `${file}.lua`), 'utf8');
    files[path] = text;
    for (const [, other] of text.matchAll(INCLUDE)) add(library ? `bullmq/${other}` : other);
  };
  const names = readdirSync(join(root, OWN), { recursive: true });
  for (const name of names) if (name.endsWith('.lua')) add(name.slice(0, -'.lua'.length));
  return files;
}
