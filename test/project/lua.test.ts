import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { luaScript } from '../../src/adapters/outbound/redis/lua/load.ts';

const SOURCES = new URL('../../src/adapters/outbound/redis/lua/', import.meta.url);
const STEPS = new URL('steps/', SOURCES);
const WRITTEN = new URL('../../docs/lua/', import.meta.url);

const steps = readdirSync(fileURLToPath(STEPS)).map((file) => file.replace(/\.lua$/, ''));

describe('docs/lua', () => {
  it('has every script, and nothing else', () => {
    expect(readdirSync(fileURLToPath(WRITTEN))).to.have.members(steps.map((name) => `${name}.lua`));
  });

  for (const name of steps) {
    it(`has ${name} as the store runs it (npm run lua)`, () => {
      const written = readFileSync(new URL(`${name}.lua`, WRITTEN), 'utf8');
      expect(luaScript(name).lua).to.equal(written);
    });
  }
});

/** A person reads a file of rules as a whole. */
const MOST_LINES = 200;

describe('the files of Lua', () => {
  it(`have at most ${MOST_LINES} lines`, () => {
    const files = readdirSync(fileURLToPath(SOURCES), { recursive: true, encoding: 'utf8' });
    const long = files.filter((file) => {
      if (!file.endsWith('.lua')) return false;
      return readFileSync(new URL(file, SOURCES), 'utf8').split('\n').length - 1 > MOST_LINES;
    });
    expect(long).to.deep.equal([]);
  });
});
