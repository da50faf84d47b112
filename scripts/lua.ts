// `npm run lua`: writes every script as the store runs it to generated/lua, to be read whole.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { assembledScripts } from '../test/support/redis/assembled-scripts.ts';

const FOLDER = fileURLToPath(new URL('../generated/lua', import.meta.url));

rmSync(FOLDER, { recursive: true, force: true });
mkdirSync(FOLDER, { recursive: true });
for (const [name, { lua }] of assembledScripts()) writeFileSync(join(FOLDER, `${name}.lua`), lua);
