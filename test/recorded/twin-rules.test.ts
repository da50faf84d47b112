import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { expect } from 'chai';
import ts from 'typescript';

const SOURCES = join(import.meta.dirname, '../../src');
const LUA = join(SOURCES, 'adapters/outbound/redis/lua');
const TRANSITIONS = 'domain/transitions';
const RECORDED = join(import.meta.dirname, 'twin-rules.txt');

/** The first line of a file of Lua with rules that stand in TypeScript too. */
const TWINS = /^-- In TypeScript: (.*)$/m;

/** Transitions of which Lua has nothing: what they read and write, how jobs are shown, and what TypeScript does on Redis. */
const WITHOUT_LUA = [
  'forget-adds',
  'groups-state',
  'groups/forgetting',
  'in-one-step',
  'places',
  'queue-state',
  'shown-job',
].map((name) => `${TRANSITIONS}/${name}`);

/** The files of Lua that carry the names of their twins, and these. */
const PAIRS: readonly (readonly [lua: string, twin: string])[] = filesIn(LUA, '.lua').flatMap(
  (lua) => {
    const [, names = ''] = TWINS.exec(readFileSync(join(LUA, `${lua}.lua`), 'utf8')) ?? [];
    return names === '' ? [] : names.split(', ').map((twin) => [lua, twin] as const);
  },
);

describe('the rules that stand in Lua and in TypeScript', () => {
  it('carry the name of each transition', () => {
    const named = new Set(PAIRS.map(([, twin]) => twin));
    const transitions = filesIn(join(SOURCES, TRANSITIONS), '.ts').map(
      (name) => `${TRANSITIONS}/${name}`,
    );
    expect(transitions.filter((name) => !named.has(name))).to.deep.equal(WITHOUT_LUA);
    expect([...named].filter((name) => !existsSync(join(SOURCES, `${name}.ts`)))).to.deep.equal([]);
  });

  it('change together', () => {
    const digests = new Map<string, string>();
    for (const [lua, twin] of PAIRS) {
      digests.set(nameOf(lua), digestOf(codeOfLua(join(LUA, `${lua}.lua`))));
      digests.set(twin, digestOf(codeOfTypeScript(join(SOURCES, `${twin}.ts`))));
    }
    const text = [...digests].toSorted().map((line) => `${line.join(' ')}\n`);
    if (process.env['RECORD'] !== undefined) writeFileSync(RECORDED, text.join(''));
    const recorded = new Set(readFileSync(RECORDED, 'utf8').split('\n'));
    const isChanged = (name: string): boolean => !recorded.has(`${name} ${digests.get(name)}`);
    const mistakes = PAIRS.flatMap(([lua, twin]) => {
      const [inLua, inTypeScript] = [isChanged(nameOf(lua)), isChanged(twin)];
      if (!inLua && !inTypeScript) return [];
      const changed = inLua ? `${lua}.lua` : `${twin}.ts`;
      const other = inLua ? `${twin}.ts` : `${lua}.lua`;
      return [
        inLua && inTypeScript
          ? `${changed} and ${other} changed: npm run record`
          : `${changed} changed, ${other} did not: change both; npm run record if they still do the same`,
      ];
    });
    expect(mistakes).to.deep.equal([]);
  });
});

/** The files of a folder with that ending, without it. */
function filesIn(folder: string, ending: string): readonly string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => file.endsWith(ending))
    .map((file) => file.slice(0, -ending.length))
    .sort();
}

/** The name of a file that may be moved to another folder. */
function nameOf(lua: string): string {
  return `${lua.slice(lua.lastIndexOf('/') + 1)}.lua`;
}

function digestOf(code: string): string {
  return createHash('sha256').update(code).digest('hex').slice(0, 12);
}

/** The code alone, without comments and however it is formatted. */
function codeOfLua(path: string): string {
  return readFileSync(path, 'utf8').replaceAll(/--.*$/gm, '').replaceAll(/\s+/g, ' ');
}

function codeOfTypeScript(path: string): string {
  const scanner = ts.createScanner(ts.ScriptTarget.Latest, true);
  scanner.setText(readFileSync(path, 'utf8'));
  const tokens: string[] = [];
  while (scanner.scan() !== ts.SyntaxKind.EndOfFileToken) tokens.push(scanner.getTokenText());
  return tokens.join(' ');
}
