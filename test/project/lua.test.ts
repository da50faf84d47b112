import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { luaScript } from '../../src/adapters/outbound/redis/lua/load.ts';

const SOURCES = new URL('../../src/adapters/outbound/redis/lua/', import.meta.url);

const steps = readdirSync(fileURLToPath(new URL('steps/', SOURCES)));

describe('the scripts of Lua', () => {
  for (const step of steps.map((file) => file.replace(/\.lua$/, ''))) {
    it(`${step} is assembled without an include left`, () => {
      const { lua, numberOfKeys } = luaScript(step);
      expect(lua).to.not.include('--- @include');
      for (const [, key] of lua.matchAll(/\bKEYS\[(\d+)\]/g)) {
        expect(Number(key), 'a key that the header describes').to.be.at.most(numberOfKeys);
      }
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
