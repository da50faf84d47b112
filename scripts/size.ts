// `npm run size`: the code lines of each room beside its budget. Fails for a room above it.
import { readdirSync, readFileSync } from 'node:fs';
import process from 'node:process';
import { PROGRAM_FOLDERS } from './program-folders.js';
import { codeLinesOfLua, codeLinesOfTypeScript } from './size/code-lines.ts';
import { ROOMS } from './size/rooms.ts';

const counted = new Map<string, number>();
const files = PROGRAM_FOLDERS.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(?:tsx?|lua)$/.test(file))
    .map((file) => `${folder}/${file}`),
);
for (const path of files) {
  const room = ROOMS.find(
    ({ name, folders }) =>
      folders.some((folder) => path.startsWith(`${folder}/`)) &&
      path.endsWith('.lua') === name.endsWith('Lua'),
  );
  if (room === undefined) throw new Error(`${path} is in no room of scripts/size/rooms.ts`);
  const text = readFileSync(path, 'utf8');
  const lines = path.endsWith('.lua') ? codeLinesOfLua(text) : codeLinesOfTypeScript(path, text);
  counted.set(room.name, (counted.get(room.name) ?? 0) + lines);
}
const row = (name: string, lines: number | string, most: number | string, note = ''): void => {
  console.log(
    `${name.padEnd(28)}${String(lines).padStart(8)}${String(most).padStart(8)}  ${note}`.trimEnd(),
  );
};
row('Room', 'lines', 'budget');
for (const { name, most } of ROOMS) {
  const lines = counted.get(name) ?? 0;
  if (lines > most) process.exitCode = 1;
  row(name, lines, most, lines > most ? `${lines - most} above its budget` : '');
}
const sum = (isLua: boolean, of: (room: (typeof ROOMS)[number]) => number): number =>
  ROOMS.filter(({ name }) => name.endsWith('Lua') === isLua).reduce(
    (all, room) => all + of(room),
    0,
  );
for (const [language, isLua] of [
  ['TypeScript', false],
  ['Lua', true],
] as const) {
  row(
    `All ${language}`,
    sum(isLua, ({ name }) => counted.get(name) ?? 0),
    sum(isLua, ({ most }) => most),
  );
}
