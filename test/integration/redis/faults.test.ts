import { queueNamed } from '../../support/queue-named.ts';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { expect } from 'chai';
import type { RedisClient } from '../../../src/adapters/outbound/redis/connection/redis-client.ts';
import type { AttemptKey } from '../../../src/domain/attempts/attempt.ts';
import type { AttemptHolderPort } from '../../../src/application/ports/attempt-holder-port.ts';
import { DomainError } from '../../../src/domain/errors.ts';
import type { QueueName } from '../../../src/domain/queues/queue-name.ts';
import { newJob, type NewJob } from '../../../src/domain/jobs/job.ts';
import { claimOf, take } from '../../contracts/queue-steps.ts';
import { CuttingProxy } from '../../support/cutting-proxy.ts';
import {
  redisReplica,
  TestConnections,
  type RedisReplica,
} from '../../support/redis/redis-stores.ts';
import { RedisServer } from '../../support/redis/redis-server.ts';
import { RunningTime } from '../../support/running-time.ts';

function batch(count: number, data = 'x'.repeat(100)): NewJob[] {
  return Array.from({ length: count }, (_, index) => newJob({ name: `job ${index}`, data }, ''));
}

async function failure(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
  );
}

function expectUnavailable(error: unknown): void {
  expect(error).to.be.instanceOf(DomainError);
  expect((error as DomainError).code).to.equal('store-unavailable');
}

async function setForeign(
  redis: RedisClient,
  key: string,
  type: 'string' | 'hash' | 'list' | 'zset',
): Promise<void> {
  if (type === 'string') await redis.set(key, 'x');
  if (type === 'hash') await redis.hset(key, 'x', 'y');
  if (type === 'list') await redis.rpush(key, 'x');
  if (type === 'zset') await redis.zadd(key, 1, 'x');
}

/** What is in the store, byte by byte. */
async function everything(redis: RedisClient): Promise<Record<string, string>> {
  const keys = (await redis.keys('*')).sort();
  const values = keys.map(async (key) => [key, (await redis.dumpBuffer(key)).toString('hex')]);
  return Object.fromEntries(await Promise.all(values)) as Record<string, string>;
}

describe('adding jobs while the store fails', () => {
  const closers: (() => unknown)[] = [];

  afterEach(async () => {
    for (const close of closers.splice(0).toReversed()) await close();
  });

  async function startRedis(settings: Record<string, string> = {}): Promise<RedisServer> {
    const server = await RedisServer.start({ settings });
    closers.push(() => server.stop());
    return server;
  }

  async function connect(uri: string): Promise<RedisReplica & { connections: TestConnections }> {
    const connections = await TestConnections.open(uri);
    closers.push(() => connections.close());
    return { ...redisReplica(connections), connections };
  }

  async function stored({ queues }: Pick<RedisReplica, 'queues'>, queue: string): Promise<number> {
    const { counts } = await queues.list(queueNamed(queue), {
      statuses: [],
      start: 0,
      length: 0,
    });
    return counts.waiting;
  }

  for (const [size, bytes] of [
    [200, 2000],
    [1500, 300],
  ] as const) {
    // holds: add.atomic, adding.all-or-nothing
    it(`stores whole batches of ${size} or nothing when the memory is used up`, async () => {
      const server = await startRedis({ maxmemory: '8mb', 'maxmemory-policy': 'noeviction' });
      const replica = await connect(server.uri);
      let error: unknown;
      let whole = 0;
      for (let round = 0; round < 100 && error === undefined; round += 1) {
        const jobs = batch(size, 'x'.repeat(bytes));
        error = await failure(replica.queues.add(queueNamed('full'), jobs));
        if (error === undefined) whole += size;
      }
      expectUnavailable(error);
      expect(whole).to.be.greaterThan(0);
      expect(await stored(replica, 'full')).to.equal(whole);
      const keys = await replica.connections.commands.keys('bull:full:*');
      expect(keys.filter((key) => /\d$/.test(key))).to.have.lengthOf(whole);
    });
  }

  it('works off jobs though the memory is used up, and adds again once that freed some', async () => {
    const server = await startRedis({ maxmemory: '8mb', 'maxmemory-policy': 'noeviction' });
    const { queues, attempts, queueControl } = await connect(server.uri);
    const due = await queues.add(queueNamed('full'), [
      newJob({ name: 'due', data: 1, opts: { delay: 1 } }, ''),
    ]);
    await queues.add(queueNamed('full'), batch(1));
    const request = { concurrency: 10, lockDuration: 1 };
    const lost = await take(attempts, queueNamed('full'), request);
    expect(lost.job.id).to.equal(due[0]?.id);
    let error: unknown;
    while (error === undefined)
      error = await failure(queues.add(queueNamed('full'), batch(1, 'x'.repeat(20_000))));
    expectUnavailable(error);
    const before = await stored({ queues }, 'full');

    await queueControl.pause(queueNamed('full'));
    await queueControl.resume(queueNamed('full'));

    expect(await attempts.renew(queueNamed('full'), [lost], 1)).to.deep.equal([]);
    while ((await attempts.recoverStalled(queueNamed('full'), 1)).stalled.length === 0);
    const failed = await take(attempts, queueNamed('full'), request);
    await attempts.settle(queueNamed('full'), failed, { kind: 'retry', reason: 'again', delay: 1 });
    await attempts.release(queueNamed('full'), await take(attempts, queueNamed('full'), request));
    for (let jobs = 0; jobs <= before; jobs += 1) {
      const attempt = await take(attempts, queueNamed('full'), request);
      const ending = { kind: 'completed', returnvalue: null, keep: { count: 0 } } as const;
      expect((await attempts.settle(queueNamed('full'), attempt, ending)).held).to.equal(true);
    }
    expect((await attempts.claim(queueNamed('full'), claimOf(request))).kind).to.equal('idle');
    await queues.add(queueNamed('full'), batch(1));
  });

  // holds: add.atomic, adding.all-or-nothing
  it('stores nothing of a batch whose connection is cut on the way', async () => {
    const server = await startRedis();
    const proxy = await CuttingProxy.start(server.port);
    closers.push(() => proxy.close());
    const cut = await connect(`redis://127.0.0.1:${proxy.port}`);
    const direct = await connect(server.uri);
    await cut.queues.add(queueNamed('cut'), batch(1));
    proxy.cutAfter({ sent: 1_000_000 });
    expectUnavailable(await failure(cut.queues.add(queueNamed('cut'), batch(20_000))));
    expect(await stored(direct, 'cut')).to.equal(1);
    await once(cut.connections.commands, 'ready');
    await cut.queues.add(queueNamed('cut'), batch(2));
    expect(await stored(direct, 'cut')).to.equal(3);
  });

  // holds: adding.all-or-nothing
  it('stores a batch once when the connection is cut before its answer', async () => {
    const server = await startRedis();
    const proxy = await CuttingProxy.start(server.port);
    closers.push(() => proxy.close());
    const cut = await connect(`redis://127.0.0.1:${proxy.port}`);
    const direct = await connect(server.uri);
    await cut.queues.add(queueNamed('once'), batch(1));
    proxy.cutAfter({ received: 1 });
    expectUnavailable(await failure(cut.queues.add(queueNamed('once'), batch(50))));
    await once(cut.connections.commands, 'ready');
    await cut.queues.add(queueNamed('once'), batch(1));
    expect(await stored(direct, 'once')).to.equal(52);
  });

  for (const [key, type] of [
    ['wait', 'string'],
    ['wait', 'zset'],
    ['meta', 'string'],
    ['events', 'list'],
    ['marker', 'string'],
    ['id', 'hash'],
    ['id', 'string'],
    ['prioritized', 'list'],
    ['delayed', 'list'],
    ['pc', 'hash'],
    ['pc', 'string'],
    ['custom', 'string'],
  ] as const) {
    // holds: security.key-types
    it(`leaves nothing half-stored when ${key} is a foreign ${type}`, async () => {
      const server = await startRedis();
      const { queues, connections } = await connect(server.uri);
      const { commands } = connections;
      const name = `bull:foreign:${key}`;
      await setForeign(commands, name, type);
      const before = await everything(commands);
      const jobs = [{}, { delay: 1000 }, { priority: 1 }, { jobId: 'custom' }].map((opts) =>
        newJob({ name: 'job', data: 1, opts }, ''),
      );
      const error = await failure(queues.add(queueNamed('foreign'), jobs));
      expectUnavailable(error);
      expect(String((error as Error).cause)).to.match(/WRONGTYPE|not an integer/);
      expect(await everything(commands)).to.deep.equal(before);
    });
  }

  for (const [key, type] of [
    ['wait', 'zset'],
    ['marker', 'string'],
    ['events', 'list'],
    ['id', 'hash'],
    ['id', 'string'],
    ['meta', 'string'],
  ] as const) {
    // holds: security.key-types, topics.atomic
    it(`leaves nothing half-stored of several queues when ${key} of one is a foreign ${type}`, async () => {
      const { topics, connections } = await connect((await startRedis()).uri);
      const { commands } = connections;
      const queues = ['first', 'foreign', 'last'].map(queueNamed);
      const add = (some: readonly QueueName[]) =>
        topics.add({
          jobs: some.map((queue) => ({ queue, id: randomUUID(), job: batch(1)[0] as NewJob })),
          maxWaiting: () => undefined,
          maxWaitingOfGroup: () => undefined,
          isDryRun: false,
        });
      await add(queues.slice(0, 1));
      await commands.del('bull:first:marker');
      await setForeign(commands, `bull:foreign:${key}`, type);
      const before = await everything(commands);
      const error = await failure(add(queues));
      expectUnavailable(error);
      expect(String((error as Error).cause)).to.match(/WRONGTYPE/);
      expect(await everything(commands)).to.deep.equal(before);
    });
  }

  // holds: security.shared-run
  it('lets no add fail for another that shares its run', async () => {
    const server = await startRedis();
    const replica = await connect(server.uri);
    await replica.connections.commands.set('bull:shared:foreign', 'x');
    const adds = Array.from({ length: 10 }, (_, index) => {
      const opts = index === 4 ? { jobId: 'foreign' } : {};
      return failure(
        replica.queues.add(queueNamed('shared'), [newJob({ name: 'job', data: index, opts }, '')]),
      );
    });
    for (const [index, error] of (await Promise.all(adds)).entries()) {
      if (index === 4) expectUnavailable(error);
      else expect(error).to.equal(undefined);
    }
    expect(await stored(replica, 'shared')).to.equal(9);
  });

  it('goes on when the store forgot the scripts', async () => {
    const server = await startRedis();
    const replica = await connect(server.uri);
    await replica.queues.add(queueNamed('flushed'), batch(3));
    const flush = replica.connections.commands.script('FLUSH');
    const adds = Array.from({ length: 20 }, () =>
      replica.queues.add(queueNamed('flushed'), batch(2)),
    );
    await Promise.all([flush, ...adds]);
    await replica.connections.commands.script('FLUSH');
    const claim = await replica.attempts.claim(
      queueNamed('flushed'),
      claimOf({ concurrency: 1, lockDuration: 1000 }),
    );
    expect(claim.kind).to.equal('attempt');
    expect(await stored(replica, 'flushed')).to.equal(42);
  });

  it('stores nothing that reaches it late, when the store hung', async () => {
    const server = await startRedis();
    const replica = await connect(server.uri);
    await replica.queues.add(queueNamed('hung'), batch(1));
    process.kill(server.pid, 'SIGSTOP');
    const error = await failure(replica.queues.add(queueNamed('hung'), batch(5)));
    process.kill(server.pid, 'SIGCONT');
    expectUnavailable(error);
    const direct = await connect(server.uri);
    await direct.queues.add(queueNamed('hung'), batch(1));
    expect(await stored(direct, 'hung')).to.equal(2);
  });

  for (const [name, report] of [
    ['release', (attempts, key) => attempts.reportRelease(queueNamed('hung'), key, 0)],
    ['delayed release', (attempts, key) => attempts.reportRelease(queueNamed('hung'), key, 9)],
    ['extension', (attempts, key) => attempts.extend(queueNamed('hung'), key, 3_600_000)],
  ] as const satisfies readonly (readonly [
    string,
    (attempts: AttemptHolderPort, key: AttemptKey) => Promise<unknown>,
  ])[]) {
    // holds: reports.in-time
    it(`carries out no ${name} that reaches it late, when the store hung`, async () => {
      const server = await startRedis();
      const { queues, attempts } = await connect(server.uri);
      await queues.add(queueNamed('hung'), batch(1));
      const terms = { isPulled: true, lockDuration: 60_000 };
      const taken = await take(attempts, queueNamed('hung'), terms);
      process.kill(server.pid, 'SIGSTOP');
      const error = await failure(report(attempts, taken));
      process.kill(server.pid, 'SIGCONT');
      expectUnavailable(error);
      const direct = await connect(server.uri);
      await direct.queues.add(queueNamed('hung'), batch(1));
      const { state } = (await direct.queues.find(queueNamed('hung'), taken.jobId))!;
      expect(state).to.equal('active');
      const lock = `bull:hung:${taken.jobId}:lock`;
      expect(await direct.connections.commands.pttl(lock)).to.be.within(1, 60_000);
      expect(await report(direct.attempts, taken)).to.be.oneOf(['recorded', true]);
    });
  }

  it('fails within two seconds when the store does not answer, and recovers', async () => {
    const server = await startRedis();
    const proxy = await CuttingProxy.start(server.port);
    closers.push(() => proxy.close());
    const { queues, connections } = await connect(`redis://127.0.0.1:${proxy.port}`);
    proxy.freeze();
    const time = new RunningTime();
    closers.push(() => time.stop());
    expectUnavailable(await failure(queues.add(queueNamed('frozen'), batch(1))));
    expect(time.elapsed).to.be.within(1000, 2000);
    // What the frozen connection carried is lost: a new one must be made.
    const reconnected = once(connections.commands, 'ready');
    proxy.thaw();
    await reconnected;
    await queues.add(queueNamed('frozen'), batch(1));
  });

  it('fails at once when the store refuses connections', async () => {
    const server = await startRedis();
    const { queues, connections } = await connect(server.uri);
    await server.kill();
    if (connections.commands.status === 'ready') await once(connections.commands, 'close');
    const started = performance.now();
    expectUnavailable(await failure(queues.add(queueNamed('refused'), batch(1))));
    expect(performance.now() - started).to.be.below(1000);
  });

  // holds: bounds.truthful-add
  it('stores a batch of 10,000, and a job of 5 MB', async () => {
    const server = await startRedis();
    const replica = await connect(server.uri);
    const added = await replica.queues.add(queueNamed('large'), batch(10_000, 'x'));
    expect(added.map(({ id }) => Number(id))).to.deep.equal(added.map((_, index) => index + 1));
    expect(await stored(replica, 'large')).to.equal(10_000);
    const data = 'é'.repeat(2_500_000);
    const [job] = await replica.queues.add(queueNamed('large'), [
      newJob({ name: 'big', data }, ''),
    ]);
    expect((await replica.queues.find(queueNamed('large'), job!.id))?.data).to.equal(data);
  });
});
