import { queueNamed } from '../../support/queue-named.ts';
import { expect } from 'chai';
import type { Redis } from 'ioredis';
import { RedisHealth } from '../../../src/adapters/outbound/redis/connection/redis-health.ts';
import { Scripts } from '../../../src/adapters/outbound/redis/connection/scripts.ts';
import { STORE_PATIENCE } from '../../../src/application/ports/store-patience.ts';
import { isStoreUnavailable } from '../../../src/domain/errors.ts';
import { RedisServer } from '../../support/redis/redis-server.ts';
import { addOne } from '../../contracts/queue-steps.ts';
import { eventually } from '../../support/eventually.ts';
import { rejection } from '../../support/rejection.ts';
import {
  EVENTS_KEPT,
  redisReplica,
  silentErrors,
  TestConnections,
} from '../../support/redis/redis-stores.ts';

describe('the health of a Redis store', () => {
  let server: RedisServer;
  let connections: TestConnections;
  let health: RedisHealth;

  before(async () => {
    server = await RedisServer.start();
    connections = await TestConnections.open(server.uri);
    health = healthOf(connections);
  });
  after(async () => {
    connections.close();
    await server.stop();
  });

  function healthOf({ commands }: TestConnections): RedisHealth {
    return new RedisHealth(new Scripts(commands, silentErrors(), EVENTS_KEPT), 'bull');
  }

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

  it('is bad within the patience of a client when it hangs', async () => {
    process.kill(server.pid, 'SIGSTOP');
    try {
      const begin = performance.now();
      const refused = await rejection(health.check());
      expect(isStoreUnavailable(refused), String(refused)).to.equal(true);
      expect(performance.now() - begin).to.be.below(STORE_PATIENCE + 500);
    } finally {
      process.kill(server.pid, 'SIGCONT');
    }
    await eventually('the store answers again', () =>
      health.check().then(
        () => true,
        () => false,
      ),
    );
  }).timeout(10_000);

  // holds: security.own-keys
  it('is looked at without touching a job of any queue', async () => {
    const { queues } = redisReplica(connections);
    const jobs = [];
    for (const jobId of ['health', 'wake', 'jobgate']) {
      jobs.push(await addOne(queues, queueNamed('jobgate'), { jobId }));
    }
    await health.check();
    for (const job of jobs)
      expect(await queues.find(queueNamed('jobgate'), job.id)).to.deep.equal({
        ...job,
        state: 'waiting',
      });
  });

  for (const [missing, permissions] of [
    ['run scripts', ['+@all', '-@scripting']],
    ['write', ['+@all', '-@write']],
    ['append to streams', ['+@all', '-xadd']],
    ['use the keys', ['resetkeys', '~other:*', '+@all']],
  ] as const) {
    // holds: security.missing-right
    it(`is bad for a user without the right to ${missing}`, async () => {
      const admin = connections.commands as Redis;
      const rules = ['reset', 'on', '>secret', '~bull:*', '&*', ...permissions];
      await admin.call('ACL', 'SETUSER', 'gate', ...rules);
      const uri = server.uri.replace('//', '//gate:secret@');
      const limited = await TestConnections.open(uri);
      const refused = await rejection(healthOf(limited).check());
      expect(isStoreUnavailable(refused), String(refused)).to.equal(true);
      expect(String(refused.cause)).to.match(/NOPERM/);
      await admin.call('ACL', 'SETUSER', 'gate', 'reset', 'on', '>secret', '~bull:*', '+@all');
      await healthOf(limited).check();
      limited.close();
    });
  }
});
