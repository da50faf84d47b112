import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { eventually } from '../support/eventually.ts';
import type { RedisServer } from '../support/redis/redis-server.ts';
import { lasting } from './support/ledger-endpoint.ts';
import { Ledger } from './support/ledger.ts';
import { startDurableRedis } from './support/outage.ts';
import { Play } from './support/play.ts';
import { Replicas } from './support/replicas.ts';

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

describe('groups of one queue', () => {
  let store: RedisServer;
  let redis: Redis;
  let replicas: Replicas;
  let play: Play;

  beforeEach(async () => {
    store = await startDurableRedis();
    redis = new Redis(store.uri);
    replicas = await Replicas.start(3, { STORE_URI: store.uri, ...QUICK });
    play = await Play.begin(lasting(60), new Ledger(), (number) => ({
      group: { id: `tenant-${number % GROUPS}` },
      removeOnComplete: true,
    }));
  });

  afterEach(async () => {
    await play.end();
    redis.disconnect();
    await replicas.kill();
    await store.stop();
  });

  /** The most jobs of a group that ran at a time by the events of the store, and how many jobs stalled. */
  async function mostRunning(): Promise<{ most: number; stalled: number }> {
    const groups = new Map<string, string>();
    const running = new Map<string, Set<string>>();
    let most = 0;
    let stalled = 0;
    for (const [, entry] of await redis.xrange(`bull:${play.queue}:events`, '-', '+')) {
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
  async function untilRemoved({ queue }: Play, timeout = 60_000): Promise<void> {
    await eventually(
      'all jobs are processed and removed',
      async () => {
        const { body } = await replicas.next.call('GET', `/queues/${queue}`);
        const { counts } = body as { readonly counts: Readonly<Record<string, number>> };
        return Object.values(counts).every((count) => count === 0);
      },
      timeout,
    );
  }

  /** What was counted of starts is there for five minutes more. */
  async function expectNothingOfGroups({ queue }: Play): Promise<void> {
    const { body } = await replicas.next.call('GET', `/queues/${queue}/groups`);
    expect(body).to.deep.equal({ total: 0, groups: [] });
    await eventually('nothing is left of the groups', async () => {
      const keys = await redis.keys(`bull:${queue}:jobgate:group-*`);
      return keys.every((key) => key.includes(':jobgate:group-shares-'));
    });
  }

  // holds: groups.limits
  it('keep to their limits while replicas are killed and stopped, lose nothing, and leave no key', async () => {
    const { client, endpoint, ledger } = play;
    await client.register(replicas.next, endpoint.origin, {
      concurrency: GROUPS * LIMIT,
      maxStalledCount: 20,
      groups: { concurrency: LIMIT },
    });
    await client.addAccepted(replicas.next, JOBS);
    await sleep(500);
    const [, stopped] = replicas.running;
    stopped!.signal('SIGSTOP');
    replicas.drop(stopped!);
    await replicas.crashEachSecond(2);
    await sleep(STOPPED - 2000);
    stopped!.signal('SIGCONT');
    await untilRemoved(play);
    ledger.completedAll();
    const { most, stalled } = await mostRunning();
    ledger.print({ 'most of a group': most, stalled });
    ledger.expectNothingLost();
    expect(most).to.equal(LIMIT);
    expect(stalled).to.be.greaterThan(0);
    await expectNothingOfGroups(play);
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
    await untilRemoved(used, 240_000);
    ledger.completedAll();
    ledger.print();
    ledger.expectNothingLost();
    await expectNothingOfGroups(used);
    await used.end();
  }).timeout(300_000);
});
