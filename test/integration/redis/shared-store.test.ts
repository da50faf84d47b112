import { expect } from 'chai';
import type { Redis } from 'ioredis';
import { TestConnections } from '../../support/redis/redis-stores.ts';
import { testStore } from '../../support/redis/test-store.ts';
import { rejection } from '../../support/rejection.ts';

describe('a connection of a test to the store that all tests share', () => {
  let connections: TestConnections<Redis>;

  before(async () => {
    connections = await TestConnections.open((await testStore()).uri);
  });
  after(() => connections.close());

  for (const [command, ...parameters] of [
    ['CONFIG', 'SET', 'maxmemory', '0'],
    ['CONFIG', 'RESETSTAT'],
    ['script', 'flush'],
    ['CLIENT', 'KILL', 'TYPE', 'pubsub'],
    ['CLIENT', 'PAUSE', '1'],
    ['ACL', 'SETUSER', 'somebody'],
    ['FLUSHALL'],
    ['FLUSHDB'],
    ['DEBUG', 'SLEEP', '0'],
    ['SHUTDOWN'],
    ['REPLICAOF', 'NO', 'ONE'],
    ['SLOWLOG', 'RESET'],
  ] as const) {
    it(`refuses ${[command, ...parameters].join(' ')}`, async () => {
      const { message } = await rejection(connections.commands.call(command, ...parameters));
      expect(message).to.match(/changes the store for all tests of the run: start a server/);
    });
  }

  it('refuses them on every other connection', async () => {
    const { message } = await rejection(connections.blocking().flushall());
    expect(message).to.match(/^FLUSHALL changes the store/);
  });

  it('sends what changes nothing for others', async () => {
    const [name] = (await connections.commands.config('GET', 'maxmemory')) as string[];
    expect(name).to.equal('maxmemory');
    expect(await connections.commands.script('EXISTS', '0'.repeat(40))).to.deep.equal([0]);
  });
});
