// `npm run lua`: writes every script as the store runs it to generated/lua, to be read whole.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { luaScript } from '../src/adapters/outbound/redis/lua/load.ts';

const STEPS = fileURLToPath(new URL('../src/adapters/outbound/redis/lua/steps', import.meta.url));
const FOLDER = fileURLToPath(new URL('../generated/lua', import.meta.url));

rmSync(FOLDER, { recursive: true, force: true });
mkdirSync(FOLDER, { recursive: true });
for (const file of readdirSync(STEPS)) {
  writeFileSync(join(FOLDER, file), luaScript(file.replace(/\.lua$/, '')).lua);
}
