import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { eventually } from '../support/eventually.ts';
import { RedisSentinel } from '../support/redis/redis-sentinel.ts';
import type { RedisServer } from '../support/redis/redis-server.ts';
import { lasting } from './support/ledger-endpoint.ts';
import { Ledger } from './support/ledger.ts';
import { startDurableRedis } from './support/outage.ts';
import { Play } from './support/play.ts';
import { Replicas } from './support/replicas.ts';
import { SentinelStore } from './support/sentinel-store.ts';

const JOBS = 1500;
const GROUPS = 20;

/** Most jobs of a group that run at a time. */
const LIMIT = 2;

/** Groups with one job each, added so many at a time. */
const MANY_GROUPS = 100_000;
const MOST_PER_ADD = 5000;

/** Jobs of a replica that was killed are found in about a second instead of a minute. */
const QUICK = { LOCK_DURATION: '1000', STALLED_INTERVAL: '500' };

/** For how long a replica is stopped, in milliseconds: longer than its locks last. */
const STOPPED = 3000;

const LIMITED = {
  concurrency: GROUPS * LIMIT,
  maxStalledCount: 20,
  groups: { concurrency: LIMIT },
};

/** Jobs of groups in turn that are removed once they completed. Each call takes 60 ms. */
function playOfGroups(): Promise<Play> {
  return Play.begin(lasting(60), new Ledger(), (number) => ({
    group: { id: `tenant-${number % GROUPS}` },
    removeOnComplete: true,
  }));
}

/** The most jobs of a group that ran at a time by the events of the store, and how many jobs stalled. */
async function mostRunning(
  redis: Redis,
  { queue }: Play,
): Promise<{ most: number; stalled: number }> {
  const groups = new Map<string, string>();
  const running = new Map<string, Set<string>>();
  let most = 0;
  let stalled = 0;
  for (const [, entry] of await redis.xrange(`bull:${queue}:events`, '-', '+')) {
    const field = (name: string): string => {
      const at = entry.findIndex((each, index) => index % 2 === 0 && each === name);
      return at < 0 ? '' : (entry[at + 1] ?? '');
    };
    const [event, id] = [field('event'), field('jobId')];
    if (event === 'active') {
      const ofGroup = running.get(field('group')) ?? new Set();
      running.set(field('group'), ofGroup.add(id));
      groups.set(id, field('group'));
      most = Math.max(most, ofGroup.size);
    } else if (event === 'completed' || event === 'failed' || field('prev') === 'active') {
      running.get(groups.get(id) ?? '')?.delete(id);
    }
    if (event === 'stalled') stalled += 1;
  }
  return { most, stalled };
}

/** Waits until all jobs are processed, and removed with that. */
async function untilRemoved(replicas: Replicas, { queue }: Play, timeout = 60_000): Promise<void> {
  await eventually(
    'all jobs are processed and removed',
    async () => {
      const { status, body } = await replicas.next.call('GET', `/queues/${queue}`);
      if (status === 503) return false;
      const { counts } = body as { readonly counts: Readonly<Record<string, number>> };
      return Object.values(counts).every((count) => count === 0);
    },
    timeout,
  );
}

/** What was counted of starts is there for five minutes more. */
async function expectNothingOfGroups(
  redis: Redis,
  replicas: Replicas,
  { queue }: Play,
): Promise<void> {
  const { body } = await replicas.next.call('GET', `/queues/${queue}/groups`);
  expect(body).to.deep.equal({ total: 0, groups: [] });
  await eventually('nothing is left of the groups', async () => {
    const keys = await redis.keys(`bull:${queue}:jobgate:group-*`);
    return keys.every((key) => key.includes(':jobgate:group-shares-'));
  });
}

/** Expects that no group ever had more running jobs than it may, and that nothing is lost or left. @returns how many stalled. */
async function expectLimitsKept(redis: Redis, replicas: Replicas, play: Play): Promise<number> {
  const { ledger } = play;
  await untilRemoved(replicas, play);
  ledger.completedAll();
  const { most, stalled } = await mostRunning(redis, play);
  ledger.print({ 'most of a group': most, stalled });
  ledger.expectNothingLost();
  expect(most).to.equal(LIMIT);
  await expectNothingOfGroups(redis, replicas, play);
  return stalled;
}

describe('groups of one queue', () => {
  let store: RedisServer;
  let redis: Redis;
  let replicas: Replicas;
  let play: Play;

  beforeEach(async () => {
    store = await startDurableRedis();
    redis = new Redis(store.uri);
    replicas = await Replicas.start(3, { STORE_URI: store.uri, ...QUICK });
    play = await playOfGroups();
  });

  afterEach(async () => {
    await play.end();
    redis.disconnect();
    await replicas.kill();
    await store.stop();
  });

  // holds: groups.limits
  it('keep to their limits while replicas are killed and stopped, lose nothing, and leave no key', async () => {
    const { client, endpoint } = play;
    await client.register(replicas.next, endpoint.origin, LIMITED);
    await client.addAccepted(replicas.next, JOBS);
    await sleep(500);
    const [, stopped] = replicas.running;
    stopped!.signal('SIGSTOP');
    replicas.drop(stopped!);
    await replicas.crashEachSecond(2);
    await sleep(STOPPED - 2000);
    stopped!.signal('SIGCONT');
    const stalled = await expectLimitsKept(redis, replicas, play);
    expect(stalled).to.be.greaterThan(0);
    await stopped!.kill();
  }).timeout(120_000);

  // holds: groups.forgotten
  it('leave no key once they were used, 100,000 of them, while replicas are killed', async () => {
    const ledger = new Ledger();
    const used = await Play.begin(lasting(0), ledger, (number) => ({
      group: { id: `once-${number}` },
      removeOnComplete: true,
    }));
    await used.client.register(replicas.next, used.endpoint.origin, {
      concurrency: 300,
      maxStalledCount: 20,
      groups: { concurrency: LIMIT },
    });
    for (let added = 0; added < MANY_GROUPS; added += MOST_PER_ADD) {
      await used.client.addAccepted(replicas.next, MOST_PER_ADD);
    }
    await replicas.crashEachSecond(3);
    await untilRemoved(replicas, used, 240_000);
    ledger.completedAll();
    ledger.print();
    ledger.expectNothingLost();
    await expectNothingOfGroups(redis, replicas, used);
    await used.end();
  }).timeout(300_000);
});

describe('groups of one queue at a failover', () => {
  let store: SentinelStore;
  let redis: Redis;
  let replicas: Replicas;
  let play: Play;

  beforeEach(async () => {
    store = await SentinelStore.start();
    const sentinels = [...store.sentinelAddresses];
    redis = new Redis({ sentinels, name: RedisSentinel.masterName });
    redis.on('error', () => undefined);
    replicas = await Replicas.start(3, { ...store.environment, ...QUICK });
    play = await playOfGroups();
  });

  afterEach(async () => {
    await play.end();
    redis.disconnect();
    await replicas.kill();
    await store.stop();
  });

  // holds: groups.limits
  it('keep to their limits while the master and replicas are killed, lose nothing, and leave no key', async () => {
    const { client, endpoint } = play;
    await client.register(replicas.next, endpoint.origin, LIMITED);
    await client.addAccepted(replicas.next, JOBS);
    await sleep(500);
    await store.master.kill();
    await replicas.crashEachSecond(2);
    await eventually('a replica is the master', async () => {
      const info = await redis.info('replication').catch(() => '');
      return info.includes('role:master');
    });
    await expectLimitsKept(redis, replicas, play);
  }).timeout(120_000);
});
