import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { assembledScripts } from '../support/redis/assembled-scripts.ts';

const SOURCES = new URL('../../src/adapters/outbound/redis/lua/', import.meta.url);

describe('the scripts of Lua', () => {
  for (const [step, { lua, numberOfKeys }] of assembledScripts()) {
    it(`${step} is assembled without an include left`, () => {
      expect(lua).to.not.include('--- @include');
      for (const [, key] of lua.matchAll(/\bKEYS\[(\d+)\]/g)) {
        expect(Number(key), 'a key that the script declares').to.be.at.most(numberOfKeys);
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
