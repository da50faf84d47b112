import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { eventually } from '../support/eventually.ts';
import type { RedisServer } from '../support/redis/redis-server.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { BatchEndpoint, type BatchAnswer, type BatchCall } from './support/batch-endpoint.ts';
import { Client } from './support/client.ts';
import { Ledger } from './support/ledger.ts';
import { startDurableRedis } from './support/outage.ts';
import { Replicas } from './support/replicas.ts';

const JOBS = 1500;
const SIZE = 20;
const GROUPS = 12;

/** Calls that run at a time. */
const CALLS = 6;

/** Jobs of a replica that was killed are found in about a second instead of a minute. */
const QUICK = { LOCK_DURATION: '1000', STALLED_INTERVAL: '500' };

/** For how long a replica is stopped, in milliseconds: longer than its locks last. */
const STOPPED = 3000;

/** How long an endpoint may take, in milliseconds. */
const TIMEOUT = 500;

/** One job of so many fails every call that it is in. */
const POISON = 100;

/** More attempts than the endpoint fails. */
const MANY_ATTEMPTS = {
  attempts: 1000,
  backoff: { type: 'fixed', delay: 20 },
  removeOnComplete: true,
};

async function completeAll({ numbers }: BatchCall): Promise<BatchAnswer> {
  await sleep(30);
  return { completes: numbers };
}

/** Of the jobs of a call in turn. */
const RESULTS = [
  { status: 'completed' },
  { status: 'failed', delay: 50 },
  { status: 'deferred', delay: 50 },
];

/** Fails whole calls, some of their jobs, answers nonsense, defers, or never answers; completes most. */
function unreliably(seed: number): (call: BatchCall) => Promise<BatchAnswer | undefined> {
  const random = seededRandom(seed);
  return async ({ jobs, numbers }) => {
    const what = random();
    await sleep(20);
    if (what < 0.1) return { status: 500 };
    if (what < 0.15) return { body: { results: [{ id: 'no such job', status: 'completed' }] } };
    if (what < 0.2) return { body: { results: 'nonsense' } };
    if (what < 0.23) return undefined;
    if (what < 0.27) return { status: 429, headers: { 'Retry-After': '0' } };
    if (what < 0.5) {
      const results = jobs.map(({ id }, index) => ({ id, ...RESULTS[index % RESULTS.length] }));
      return { body: { results }, completes: numbers.filter((_, index) => index % 3 === 0) };
    }
    if (what < 0.55) {
      const [first] = jobs;
      return {
        body: { batchItemFailures: [{ itemIdentifier: first?.id }] },
        completes: numbers.slice(1),
      };
    }
    return { completes: numbers };
  };
}

describe('calls with several jobs', () => {
  let store: RedisServer;
  let redis: Redis;
  let replicas: Replicas;
  let ledger: Ledger;
  let endpoint: BatchEndpoint;
  let client: Client;
  const queue = 'batches';

  beforeEach(async () => {
    store = await startDurableRedis();
    redis = new Redis(store.uri);
    replicas = await Replicas.start(3, { STORE_URI: store.uri, ...QUICK });
    ledger = new Ledger();
    endpoint = await BatchEndpoint.start(ledger, completeAll);
  });

  afterEach(async () => {
    await client.close();
    redis.disconnect();
    await replicas.kill();
    await endpoint.close();
    await store.stop();
  });

  /** Kills replicas, and stops one for longer than its locks last. */
  async function disturb(): Promise<void> {
    await sleep(500);
    const [, stopped] = replicas.running;
    stopped!.signal('SIGSTOP');
    replicas.drop(stopped!);
    await replicas.crashEachSecond(STOPPED / 1000);
    stopped!.signal('SIGCONT');
    await sleep(500);
    await stopped!.kill();
  }

  async function counts(): Promise<Readonly<Record<string, number>>> {
    const { body } = await replicas.next.call('GET', `/queues/${queue}`);
    return (body as { readonly counts: Readonly<Record<string, number>> }).counts;
  }

  /** Resolves when no job of the queue is unfinished. */
  async function untilEnded(timeout: number): Promise<void> {
    const ended = async (): Promise<boolean> => {
      const { active, waiting, prioritized, delayed } = await counts();
      return active === 0 && waiting === 0 && prioritized === 0 && delayed === 0;
    };
    await eventually('all jobs have ended', ended, timeout);
  }

  /** Nothing of a call is left in the store, and as many calls as ever run at a time. */
  async function expectFree(): Promise<void> {
    const left = (await redis.keys(`bull:${queue}:*`)).filter((key) => key.endsWith(':lock'));
    expect(left).to.deep.equal([]);
    expect(await redis.llen(`bull:${queue}:active`)).to.equal(0);
    endpoint.work = async (call) => {
      await sleep(TIMEOUT / 2);
      return completeAll(call);
    };
    await client.addAccepted(replicas.next, 2 * CALLS * SIZE);
    await eventually('all slots are in use', () => Promise.resolve(endpoint.running >= CALLS));
    await untilEnded(20_000);
  }

  for (const by of ['queue', 'name', 'group'] as const) {
    // holds: batches.concurrency, batches.answer
    it(`by ${by} lose no job and take no slot while replicas die and endpoints fail`, async () => {
      endpoint.work = unreliably(7);
      client = new Client(queue, ledger, (number) => ({
        ...MANY_ATTEMPTS,
        ...(by !== 'name' && { group: { id: `tenant-${number % GROUPS}` } }),
      }));
      await client.register(
        replicas.next,
        endpoint.origin,
        { concurrency: CALLS, maxStalledCount: 20, batch: { size: SIZE, wait: 50, by } },
        { timeout: TIMEOUT },
      );
      for (let added = 0; added < JOBS; added += JOBS / 5) {
        await client.addAccepted(replicas.next, JOBS / 5);
      }
      await disturb();
      await untilEnded(40_000);
      ledger.print();
      ledger.expectNothingLost();
      expect(await counts()).to.include({ completed: 0, failed: 0 });
      await expectFree();
      if (by === 'name') return;
      const { body } = await replicas.next.call('GET', `/queues/${queue}/groups`);
      expect(body).to.deep.equal({ total: 0, groups: [] });
    }).timeout(180_000);
  }

  // holds: batches.split
  it('split until what fails is alone, and use up no attempt of the others, while replicas die', async () => {
    const isPoison = (number: number): boolean => number % POISON === 0;
    endpoint.work = async (call) =>
      call.numbers.some(isPoison) ? { status: 500 } : completeAll(call);
    client = new Client(queue, ledger, () => ({
      attempts: 5,
      backoff: { type: 'fixed', delay: 20 },
      removeOnComplete: true,
    }));
    await client.register(replicas.next, endpoint.origin, {
      concurrency: CALLS,
      maxStalledCount: 20,
      batch: { size: SIZE, split: true },
    });
    await client.addAccepted(replicas.next, JOBS);
    await disturb();
    await untilEnded(60_000);
    const { body } = await replicas.next.call(
      'GET',
      `/queues/${queue}/jobs?statuses=failed&length=1000`,
    );
    const { jobs } = body as { readonly jobs: readonly { readonly data: number }[] };
    const poison = Array.from({ length: JOBS / POISON }, (_, each) => (each + 1) * POISON);
    expect(jobs.map(({ data }) => data)).to.have.members(poison);
    for (const number of poison) ledger.completed(number);
    ledger.print();
    ledger.expectNothingLost();
    await expectFree();
  }).timeout(120_000);
});
