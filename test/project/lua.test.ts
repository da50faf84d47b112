import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { luaScript } from '../../src/adapters/outbound/redis/lua/load.ts';

const STEPS = new URL('../../src/adapters/outbound/redis/lua/steps/', import.meta.url);
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
