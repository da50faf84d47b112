import { queueNamed } from '../../support/queue-named.ts';
import { expect } from 'chai';
import type { Redis } from 'ioredis';
import type { QueuePort } from '../../../src/application/ports/queue-port.ts';
import { JOB_STATUSES } from '../../../src/domain/jobs/job-status.ts';
import type { DomainError } from '../../../src/domain/errors.ts';
import type { Job } from '../../../src/domain/jobs/job.ts';
import { listPage, logsOf } from '../../contracts/queue-steps.ts';
import { RedisServer } from '../../support/redis/redis-server.ts';
import { redisReplica, TestConnections } from '../../support/redis/redis-stores.ts';

const PAGE = { statuses: JOB_STATUSES, start: 0, length: 1000 };

/** How long one command may hold the store, in milliseconds, where no single value is large. */
const LONGEST = 100;

/** A command may read one value that is large, however slow the machine copies it, but not two of them. */
const MOST_LARGE_VALUES = 1.8;

/** A machine that runs all tests at once is slow for seconds, but not all the time. */
const MOST_ROUNDS = 15;

describe('reading what is large from Redis', function () {
  this.timeout(60_000);
  let server: RedisServer;
  let connections: TestConnections<Redis>;
  let queues: QueuePort;
  let redis: Redis;

  beforeEach(async () => {
    server = await RedisServer.start();
    connections = await TestConnections.open(server.uri);
    redis = connections.commands;
    ({ queues } = redisReplica(connections));
  });
  afterEach(async () => {
    connections.close();
    await server.stop();
  });

  /** Stores jobs as a native producer does, ids from 1 up, and returns the ids as they are listed. */
  async function store(count: number, size: number): Promise<string[]> {
    const ids = Array.from({ length: count }, (_, index) => String(index + 1));
    const data = JSON.stringify('x'.repeat(size));
    await redis.lpush('bull:mail:wait', ...ids);
    await Promise.all(
      ids.map((id) => redis.hset(`bull:mail:${id}`, { name: 'job', timestamp: 1, data })),
    );
    return ids.reverse();
  }

  /**
   * How long the commands of a reading hold the store, the middle one of them in the best of some readings: this machine
   * has more to do, so that one of many commands is always slow. A command that read more than it should would be one of
   * few.
   */
  async function heldFor(read: () => Promise<unknown>, bound: number): Promise<number> {
    let best = Infinity;
    for (let round = 0; round < MOST_ROUNDS && best >= bound; round += 1) {
      const times = (await commandTimes(read)).sort((one, other) => one - other);
      best = Math.min(best, times[Math.floor(times.length / 2)] ?? 0);
    }
    return best;
  }

  /** How long each command of a reading took that took over a millisecond. */
  async function commandTimes(read: () => Promise<unknown>): Promise<number[]> {
    await redis.config('SET', 'slowlog-log-slower-than', '1000');
    await redis.slowlog('RESET');
    await read();
    const entries = (await redis.slowlog('GET', 100)) as [unknown, unknown, number][];
    return entries.map(([, , microseconds]) => microseconds / 1000);
  }

  /** How long a command may hold the store that reads one large value, by what that takes on this machine. */
  async function boundOfOneValue(read: () => Promise<unknown>): Promise<number> {
    const times: number[] = [];
    for (let round = 0; round < 5; round += 1) times.push(...(await commandTimes(read)));
    return Math.max(LONGEST, MOST_LARGE_VALUES * Math.max(...times));
  }

  // holds: bounds.store-time
  it('holds the store shortly for a page of large jobs, and for each of them', async () => {
    const ids = await store(6, 9_900_000);
    const bound = await boundOfOneValue(() => redis.hget('bull:mail:1', 'data'));
    const longest = await heldFor(async () => {
      const { jobs } = await listPage(queues, queueNamed('mail'), PAGE);
      expect(jobs.map(({ id }) => id)).to.deep.equal(ids);
      expect(await queues.find(queueNamed('mail'), '3')).to.deep.equal(jobs[3]);
    }, bound);
    expect(longest).to.be.below(bound);
  });

  // holds: bounds.store-time
  it('holds the store shortly for a page of many jobs', async () => {
    const ids = await store(1000, 5000);
    const longest = await heldFor(async () => {
      const { jobs } = await listPage(queues, queueNamed('mail'), PAGE);
      expect(jobs.map(({ id }) => id)).to.deep.equal(ids);
    }, LONGEST);
    expect(longest).to.be.below(LONGEST);
  });

  // holds: bounds.store-time
  it('holds the store shortly for a page deep within very many jobs', async () => {
    const many = `
      for first = 1, 200000, 5000 do
        local ids = {}
        for id = first, first + 4999 do ids[#ids + 1] = id end
        redis.call("RPUSH", KEYS[1], unpack(ids))
      end
      for id = 1, 200000 do redis.call("ZADD", KEYS[2], id, id) end`;
    await connections.blocking().eval(many, 2, 'bull:mail:wait', 'bull:mail:completed');
    for (const [status, id] of [
      ['waiting', '100001'],
      ['completed', '100000'],
    ] as const) {
      await redis.hset(`bull:mail:${id}`, { name: 'job', timestamp: 1 });
      const longest = await heldFor(async () => {
        const query = { statuses: [status], start: 100_000, length: 1000 };
        const { counts, jobs } = await listPage(queues, queueNamed('mail'), query);
        expect(counts).to.include({ waiting: 200_000, completed: 200_000 });
        expect(jobs[0]?.id).to.equal(id);
      }, LONGEST);
      expect(longest).to.be.below(LONGEST);
    }
  });

  for (const [count, size] of [
    [300, 64_000],
    [12, 9_900_000],
  ] as const) {
    // holds: bounds.store-time
    it(`holds the store shortly for ${count} log lines of ${size} bytes`, async () => {
      await store(1, 1);
      const line = 'x'.repeat(size);
      for (let index = 0; index < count; index += 1) {
        await redis.rpush('bull:mail:1:logs', String(index) + line);
      }
      const bound = await boundOfOneValue(() => redis.lindex('bull:mail:1:logs', 0));
      const longest = await heldFor(async () => {
        const { logs = [] } = (await logsOf(queues, queueNamed('mail'), '1', 0, 1000)) ?? {};
        expect(logs.map(parseFloat)).to.deep.equal(Array.from({ length: count }, (_, i) => i));
      }, bound);
      expect(longest).to.be.below(bound);
    });
  }

  it('needs no MEMORY command', async () => {
    const ids = await store(5, 120_000);
    for (let index = 0; index < 9; index += 1) await redis.rpush('bull:mail:1:logs', index);
    const expected = await listPage(queues, queueNamed('mail'), PAGE);
    await redis.acl('SETUSER', 'limited', 'on', 'nopass', '~*', '+@all', '-memory');
    await redis.auth('limited', 'any');
    const page = await listPage(queues, queueNamed('mail'), PAGE);
    expect(page).to.deep.equal(expected);
    expect(page.jobs.map(({ id }) => id)).to.deep.equal(ids);
    const logs = Array.from({ length: 9 }, (_, index) => String(index));
    expect(await logsOf(queues, queueNamed('mail'), '1')).to.deep.equal({ count: 9, logs });
  });

  it('ends with store-unavailable when the store goes away within a page', async () => {
    await store(4, 400_000);
    const { jobs } = await queues.list(queueNamed('mail'), PAGE);
    const pieces = (jobs as AsyncIterable<readonly Job[]>)[Symbol.asyncIterator]();
    await pieces.next();
    expect((await pieces.next()).value).to.have.lengthOf(1);
    await server.kill();
    const started = performance.now();
    const failures = await Promise.all([
      codeOf(pieces.next()),
      codeOf(queues.find(queueNamed('mail'), '1')),
    ]);
    expect(failures).to.deep.equal(['store-unavailable', 'store-unavailable']);
    expect(performance.now() - started).to.be.below(2500);
  });
});

function codeOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => 'none',
    (error: unknown) => (error as DomainError).code,
  );
}
