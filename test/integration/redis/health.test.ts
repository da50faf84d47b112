import { expect } from 'chai';
import { RedisHealth } from '../../../src/adapters/outbound/redis/connection/redis-health.ts';
import { isStoreUnavailable } from '../../../src/domain/errors.ts';
import { RedisServer } from '../../support/redis/redis-server.ts';
import { TestConnections } from '../../support/redis/redis-stores.ts';

describe('the health of a Redis store', () => {
  let server: RedisServer;
  let connections: TestConnections;
  let health: RedisHealth;

  before(async () => {
    server = await RedisServer.start();
    connections = await TestConnections.open(server.uri);
    health = new RedisHealth(connections.commands, 'bull');
  });
  after(async () => {
    connections.close();
    await server.stop();
  });

  async function isUsableWith(setting: string, value: string): Promise<boolean> {
    const [, before = ''] = (await connections.commands.config('GET', setting)) as string[];
    await connections.commands.config('SET', setting, value);
    try {
      await health.check();
      return true;
    } catch (error) {
      expect(isStoreUnavailable(error), String(error)).to.equal(true);
      return false;
    } finally {
      await connections.commands.config('SET', setting, before);
    }
  }

  it('is good when it can be written to', async () => {
    expect(await isUsableWith('min-replicas-to-write', '0')).to.equal(true);
    expect(await connections.commands.dbsize()).to.equal(0);
  });

  it('is bad when it refuses writes for want of replicas', async () => {
    expect(await isUsableWith('min-replicas-to-write', '1')).to.equal(false);
    await health.check();
  });

  it('is good when its memory is used up', async () => {
    expect(await isUsableWith('maxmemory', '1')).to.equal(true);
  });
});
