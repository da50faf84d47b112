// `npm run lint:lua`: checks every Lua script as the store runs it, and the width of our own Lua files.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { requireLuacheck } from '../test/support/luacheck.ts';
import { assembledScripts } from '../test/support/redis/assembled-scripts.ts';
import { mistakesOf, type Warning } from './lint-lua/mistakes.ts';

const SOURCES = fileURLToPath(new URL('../src/adapters/outbound/redis/lua', import.meta.url));

/** What Redis gives each script. */
const GLOBALS = ['redis', 'cjson', 'cmsgpack', 'struct', 'bit', 'KEYS', 'ARGV'];

/** A function may have a parameter that is named like a variable of its script. */
const IGNORED = ['431', '432'];

const MOST_COLUMNS = 120;

const luacheck = await requireLuacheck();
const folder = mkdtempSync(join(tmpdir(), 'jobgate-lua-'));
/** The scripts as the store runs them, by name. */
const scripts = new Map([...assembledScripts()].map(([name, { lua }]) => [name, lua]));
const mistakes = [...mistakesOf(warnings(), bullmqLines(), scripts), ...wideLines()];
rmSync(folder, { recursive: true });
for (const mistake of mistakes) console.error(mistake);
process.exitCode = mistakes.length === 0 ? 0 : 1;

/** The warnings of luacheck about the assembled scripts. */
function warnings(): readonly Warning[] {
  for (const [name, lua] of scripts) writeFileSync(join(folder, `${name}.lua`), lua);
  const options = ['--formatter', 'plain', '--codes', '--std', 'lua51', '--no-max-line-length'];
  const { stdout } = spawnSync(
    luacheck,
    ['.', ...options, '--globals', ...GLOBALS, '--ignore', ...IGNORED],
    { cwd: folder, encoding: 'utf8' },
  );
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [, script = '', number = '', code = '', message = ''] =
        /^(?:\.\/)?(.+?)\.lua:(\d+):\d+: \(([EW]\d+)\) (.*)$/.exec(line) ?? [];
      if (code === '') throw new Error(`luacheck printed: ${line}`);
      const text = scripts.get(script)?.split('\n')[Number(number) - 1] ?? '';
      return { script, code, message, line: text.trim() };
    });
}

/** The lines of BullMQ's own functions, which are included as they are. */
function bullmqLines(): ReadonlySet<string> {
  const { resolve } = createRequire(import.meta.url);
  const commands = join(dirname(resolve('bullmq')), 'commands');
  return new Set(luaFilesIn(commands).flatMap((path) => linesOf(path).map((line) => line.trim())));
}

function wideLines(): readonly string[] {
  return luaFilesIn(SOURCES).flatMap((path) =>
    linesOf(path).flatMap((line, index) =>
      line.length > MOST_COLUMNS ? [`${path}:${index + 1} has ${line.length} columns`] : [],
    ),
  );
}

function luaFilesIn(path: string): readonly string[] {
  const files = readdirSync(path, { recursive: true, encoding: 'utf8' });
  return files.filter((file) => file.endsWith('.lua')).map((file) => join(path, file));
}

function linesOf(path: string): readonly string[] {
  return readFileSync(path, 'utf8').split('\n');
}
