import { expect } from 'chai';
import type { Redis } from 'ioredis';
import { MOST_REMEMBERED } from '../../../src/domain/jobs/add-identity.ts';
import { newJob, type NewJob } from '../../../src/domain/jobs/job.ts';
import { rejection } from '../../support/rejection.ts';
import { dump } from '../../support/redis/queue-dump.ts';
import {
  redisReplica,
  TestConnections,
  type RedisReplica,
} from '../../support/redis/redis-stores.ts';
import { testStore } from '../../support/redis/test-store.ts';
import { repeatable, uniqueQueue } from '../../contracts/queue-steps.ts';

const PREFIX = 'remembered';
const FIRST = { key: 'key-1', body: 'body-1' };

function batch(size: number): NewJob[] {
  return Array.from({ length: size }, (_, n) => newJob({ name: 'work', data: n }, ''));
}

describe('adds that Redis remembers', () => {
  let connections: TestConnections<Redis>;
  let redis: Redis;
  let replica: RedisReplica;

  before(async () => {
    connections = await TestConnections.open((await testStore()).uri);
    redis = connections.commands;
    replica = redisReplica(connections, { prefix: PREFIX });
  });
  after(() => connections.close());

  // holds: idempotency.bounds
  it('are a bounded number, and the oldest are forgotten first', async () => {
    const queue = uniqueQueue();
    const records = `${PREFIX}:${queue}:jobgate:idempotency`;
    await replica.queues.addOnce(queue, repeatable(batch(1)), { key: 'oldest', body: 'a' });
    const now = Date.now();
    for (let first = 1; first < MOST_REMEMBERED; first += 10_000) {
      const count = Math.min(10_000, MOST_REMEMBERED - first);
      const entries = Array.from({ length: count }, (_, n) => `${now}:key-${first + n}`);
      await redis.rpush(records, ...entries);
    }
    await replica.queues.addOnce(queue, repeatable(batch(1)), { key: 'newest', body: 'a' });
    expect(await redis.llen(records)).to.equal(MOST_REMEMBERED);
    expect(await redis.exists(`${records}-oldest`)).to.equal(0);
    expect(await redis.exists(`${records}-newest`)).to.equal(1);
    expect(
      (await replica.queues.addOnce(queue, repeatable(batch(1)), { key: 'oldest', body: 'b' }))
        .kind,
    ).to.equal('added');
  });

  // holds: idempotency.bounds
  it('take more of the bound the longer their records are', async () => {
    const queue = uniqueQueue();
    const existing = Array.from({ length: 300 }, (_, n) =>
      newJob({ name: 'work', data: 1, opts: { jobId: `existing-${n}` } }, ''),
    );
    await replica.queues.add(queue, existing);
    await replica.queues.addOnce(queue, repeatable(existing), FIRST);
    const records = `${PREFIX}:${queue}:jobgate:idempotency`;
    const size = await redis.strlen(`${records}-key-1`);
    expect(size).to.be.above(1024);
    expect(await redis.llen(records)).to.equal(Math.ceil(size / 1024));
  });

  // holds: idempotency.bounds
  it('leave nothing that does not expire', async () => {
    const queue = uniqueQueue();
    await replica.queues.addOnce(queue, repeatable(batch(1)), FIRST);
    for (const key of await redis.keys(`${PREFIX}:${queue}:jobgate:*`)) {
      expect(await redis.pttl(key), key).to.be.within(86_390_000, 86_400_000);
    }
  });

  // holds: idempotency.in-progress, idempotency.only-success
  it('do not block other adds for long when a large one does not finish', async () => {
    const queue = uniqueQueue();
    const wait = `${PREFIX}:${queue}:wait`;
    await redis.set(wait, 'not a list');
    const error = await rejection(replica.queues.addOnce(queue, repeatable(batch(1100)), FIRST));
    expect(error).to.include({ code: 'store-unavailable' });
    await redis.del(wait);
    expect(await replica.queues.addOnce(queue, repeatable(batch(1100)), FIRST)).to.deep.equal({
      kind: 'running',
    });
    const other = await replica.queues.addOnce(queue, repeatable(batch(1)), {
      ...FIRST,
      body: 'body-2',
    });
    expect(other).to.deep.equal({ kind: 'other' });
    const record = `${PREFIX}:${queue}:jobgate:idempotency-key-1`;
    expect(await redis.pttl(record)).to.be.within(1, 5000);
    await redis.pexpire(record, 0);
    expect((await replica.queues.addOnce(queue, repeatable(batch(1100)), FIRST)).kind).to.equal(
      'added',
    );
    expect(await redis.llen(wait)).to.equal(1100);
  });

  // holds: idempotency.once
  it('are remembered in the step that stores their jobs, or neither happens', async () => {
    const queue = uniqueQueue();
    await redis.set(`${PREFIX}:${queue}:jobgate:idempotency`, 'not a list');
    const error = await rejection(replica.queues.addOnce(queue, repeatable(batch(3)), FIRST));
    expect(error).to.include({ code: 'store-unavailable' });
    expect(Object.keys(await dump(redis, `${PREFIX}:${queue}`))).to.deep.equal([
      'jobgate:idempotency',
    ]);
  });

  it('cost nothing to clients that do not use them', async () => {
    const queue = uniqueQueue();
    await replica.queues.add(queue, batch(3));
    expect(await redis.keys(`${PREFIX}:${queue}:jobgate:*`)).to.deep.equal([]);
  });
});
