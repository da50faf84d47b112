import { expect } from 'chai';
import { checkLibrary, PINNED_VERSION } from '../../../src/adapters/outbound/redis/lua/library.ts';
import { luaScript } from '../../../src/adapters/outbound/redis/lua/load.ts';
import { release, renewLocks } from '../../../src/adapters/outbound/redis/scripts/attempts.ts';
import { queueKeys } from '../../../src/adapters/outbound/redis/layout/queue-keys.ts';
import type { QueueName } from '../../../src/domain/queues/queue-name.ts';

describe('scripts from Lua files', () => {
  it('have as many keys as their headers describe', () => {
    expect(luaScript('attempts/settle').numberOfKeys).to.equal(12);
  });

  it('declare the keys of their queue that they name', () => {
    expect(renewLocks.numberOfKeys).to.equal(2);
    const keys = queueKeys('{p}', 'q' as QueueName);
    expect(renewLocks.keysFor(keys, { duration: 1 })).to.deep.equal([
      '{p}:q:active',
      '{p}:q:stalled',
    ]);
    expect(renewLocks.lua).to.include('local active = KEYS[1]\nlocal stalled = KEYS[2]\n');
  });

  it('have a variable for each argument, and the number of the first one behind these', () => {
    const keys = queueKeys('{p}', 'q' as QueueName);
    expect(renewLocks.argumentsFor(keys, { duration: 1 })).to.deep.equal(['{p}:q:', 1]);
    expect(renewLocks.lua).to.include('local prefix = ARGV[1]\nlocal duration = ARGV[2]\n');
    expect(renewLocks.lua).to.include('for index = 3, #ARGV, 2 do');
  });

  it('refuse an answer of another kind than declared', () => {
    expect(() => renewLocks.answer('OK', 'renew-locks')).to.throw(
      'The script renew-locks answered otherwise than declared',
    );
  });

  it('include each file once, even if several others include it', () => {
    expect(release.lua.match(/^local function enterGate\(/gm)).to.have.lengthOf(1);
  });

  it('have the values of constants, and no name of one outside of texts and comments', () => {
    expect(renewLocks.lua).to.include('rcall("HMGET", jobKey, "processedOn", "jobgate:attempt")');
  });

  it("have our functions in the place of BullMQ's where ours replace them", () => {
    const { lua } = luaScript('attempts/settle');
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
