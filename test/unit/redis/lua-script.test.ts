import { expect } from 'chai';
import { checkLibrary, PINNED_VERSION } from '../../../src/adapters/outbound/redis/lua/library.ts';
import { luaScript } from '../../../src/adapters/outbound/redis/lua/load.ts';

describe('scripts from Lua files', () => {
  it('have as many keys as their headers describe', () => {
    expect(luaScript('renew-locks').numberOfKeys).to.equal(2);
    expect(luaScript('settle').numberOfKeys).to.equal(12);
  });

  it('include each file once, even if several others include it', () => {
    const { lua } = luaScript('release');
    expect(lua.match(/^local function enterGate\(/gm)).to.have.lengthOf(1);
  });

  it('have the values of constants, and no name of one outside of texts and comments', () => {
    const { lua } = luaScript('renew-locks');
    expect(lua).to.include('rcall("HMGET", jobKey, "processedOn", "jobgate:attempt")');
  });

  it("have our functions in the place of BullMQ's where ours replace them", () => {
    const { lua } = luaScript('settle');
    expect(lua).to.include('local function moveParentToWait(queueKey, ');
    expect(lua).not.to.include('local function moveParentToWait(parentQueueKey, ');
  });

  it('are refused with another version of BullMQ', () => {
    expect(() => checkLibrary(PINNED_VERSION)).not.to.throw();
    expect(() => checkLibrary('99.0.0')).to.throw(
      `BullMQ 99.0.0 is installed, but jobgate writes the layout of ${PINNED_VERSION}`,
    );
  });
});
