import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LIBRARY } from './library.ts';

const OWN_FOLDER = fileURLToPath(new URL('.', import.meta.url));

/**
 * The text of a Lua file by its path in this folder, without the extension; a path that begins with LIBRARY is that of
 * a function of BullMQ. The build replaces this module by one that holds the texts (scripts/lua-files.js).
 */
export function luaFile(path: string): string {
  return readFileSync(`${fileOf(path)}.lua`, 'utf8');
}

function fileOf(path: string): string {
  if (!path.startsWith(LIBRARY)) return join(OWN_FOLDER, path);
  const library = dirname(createRequire(import.meta.url).resolve('bullmq/package.json'));
  return join(library, 'dist/cjs/commands/includes', path.slice(LIBRARY.length));
}
