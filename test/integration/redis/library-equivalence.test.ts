import { clockOf } from '../../support/clock-of.ts';
import { queueNamed } from '../../support/queue-named.ts';
import { Queue, type JobsOptions } from 'bullmq';
import { expect } from 'chai';
import type { Redis } from 'ioredis';
import { newJob, type JobInput } from '../../../src/domain/jobs/job.ts';
import {
  redisReplica,
  TestConnections,
  type RedisReplica,
} from '../../support/redis/redis-stores.ts';
import { LISTED } from '../../../src/adapters/outbound/redis/layout/queue-fields.ts';
import { dump } from '../../support/redis/queue-dump.ts';
import { testStore } from '../../support/redis/test-store.ts';

const PREFIX = `equal-${process.pid}`;

const batches: Record<string, JobInput[]> = {
  'plain jobs': [
    { name: 'a', data: { x: 1 } },
    { name: 'b', data: null },
    { name: 'ü', data: ['∆', { deep: [1, 2.5, true] }] },
  ],
  'lifo jobs': [
    { name: 'first', data: 1 },
    { name: 'last', data: 2, opts: { lifo: true } },
  ],
  'prioritized jobs': [
    { name: 'low', data: 1, opts: { priority: 2_097_151 } },
    { name: 'high', data: 2, opts: { priority: 1 } },
    { name: 'high too', data: 3, opts: { priority: 1 } },
    { name: 'none', data: 4, opts: { priority: 0 } },
  ],
  'delayed jobs': [
    { name: 'later', data: 1, opts: { delay: 60_000 } },
    { name: 'sooner', data: 2, opts: { delay: 1000 } },
    { name: 'same time', data: 3, opts: { delay: 1000 } },
    { name: 'with priority', data: 4, opts: { delay: 1000, priority: 3 } },
  ],
  'jobs with attempts and backoff': [
    { name: 'a', data: 1, opts: { attempts: 3, backoff: { type: 'exponential', delay: 1000 } } },
    { name: 'b', data: 1, opts: { attempts: 3, backoff: 500 } },
  ],
  'jobs that say what stays of them': [
    { name: 'a', data: 1, opts: { removeOnComplete: true, removeOnFail: false, keepLogs: 5 } },
    { name: 'b', data: 1, opts: { removeOnComplete: 3, removeOnFail: { count: 1, age: 60 } } },
    { name: 'c', data: 1, opts: { backoff: { type: 'exponential', delay: 1000, jitter: 0.5 } } },
  ],
  'custom ids, a duplicate among them': [
    { name: 'a', data: 1, opts: { jobId: 'order-7' } },
    { name: 'b', data: 2, opts: { jobId: 'order-7' } },
    { name: 'c', data: 3 },
  ],
  'jobs with deduplication ids': [
    { name: 'a', data: 1, opts: { deduplication: { id: 'x' } } },
    { name: 'b', data: 2, opts: { deduplication: { id: 'x' } } },
    { name: 'c', data: 3, opts: { deduplication: { id: 'y:z', ttl: 60_000 } } },
    { name: 'd', data: 4, opts: { deduplication: { id: 'y:z', ttl: 60_000, extend: true } } },
    {
      name: 'e',
      data: 5,
      opts: { priority: 3, deduplication: { id: 'w', keepLastIfActive: true } },
    },
    { name: 'f', data: 6 },
    { name: 'g', data: 7, opts: { jobId: 'own', deduplication: { id: 'w' } } },
    { name: 'h', data: 8, opts: { jobId: 'own' } },
  ],
  'delayed jobs that are replaced or rescheduled': [
    { name: 'a', data: 1, opts: { delay: 60_000, deduplication: { id: 'x' } } },
    { name: 'b', data: 2, opts: { delay: 90_000, deduplication: { id: 'x', replace: true } } },
    { name: 'c', data: 3, opts: { delay: 60_000, deduplication: { id: 'y' } } },
    { name: 'd', data: 4, opts: { delay: 1000, deduplication: { id: 'y', reschedule: true } } },
    {
      name: 'e',
      data: 5,
      opts: { delay: 5000, jobId: 'own', deduplication: { id: 'z', ttl: 60_000 } },
    },
    {
      name: 'f',
      data: 6,
      opts: { delay: 6000, deduplication: { id: 'z', ttl: 60_000, replace: true } },
    },
    { name: 'g', data: 7, opts: { jobId: 'own' } },
  ],
  'a mixed batch': [
    { name: 'a', data: 1, opts: { delay: 5 } },
    { name: 'b', data: 2 },
    { name: 'c', data: 3, opts: { priority: 7, jobId: 'x' } },
    { name: 'd', data: 4, opts: { lifo: true } },
  ],
};

/** More than one run of a script stores. */
const large = Array.from({ length: 2100 }, (_, n): JobInput => {
  const opts: Record<number, JobInput['opts']> = {
    1: { jobId: 'order-7' },
    2: { priority: 3 },
    3: { delay: 1000 + n },
    4: { lifo: true },
  };
  return { name: `job ${n}`, data: { n }, opts: opts[n % 7] ?? {} };
});

describe('adding jobs to Redis', () => {
  let connections: TestConnections<Redis>;
  let replica: RedisReplica;
  const timestamp = Date.now();
  const clock = clockOf(() => timestamp);

  before(async () => {
    connections = await TestConnections.open((await testStore()).uri);
    replica = redisReplica(connections, { prefix: PREFIX, clock });
  });
  after(() => connections.close());

  async function addByLibrary(name: string, inputs: JobInput[]): Promise<void> {
    const queue = new Queue(name, {
      connection: connections.commands,
      prefix: PREFIX,
      skipMetasUpdate: true,
    });
    queue.on('error', () => undefined);
    const jobs = inputs.map((input) => newJob(input, ''));
    // One by one: the order of the library's pipeline is that of the batch.
    for (const { name, data, opts } of jobs) {
      await queue.add(name, data, { ...(opts as JobsOptions), timestamp });
    }
    await queue.close();
  }

  async function addHere(name: string, inputs: JobInput[]): Promise<void> {
    await replica.queues.add(
      queueNamed(name),
      inputs.map((input) => newJob(input, '')),
    );
  }

  /**
   * What there should be here. The library keeps the time of creation among the options, and repeats it in the
   * hash; its metadata does not say that the queue is listed.
   */
  function asHere(dumped: Record<string, unknown>): Record<string, unknown> {
    return JSON.parse(
      JSON.stringify(dumped, (key, entry: unknown) => {
        if (key === 'meta') return { ...(entry as object), [LISTED]: '1' };
        if (key === 'opts') return { ...(entry as object), timestamp: undefined };
        return entry;
      }),
    ) as Record<string, unknown>;
  }

  for (const [kind, inputs] of Object.entries(batches)) {
    // holds: service.native-library
    it(`leaves the keys and events that the library leaves: ${kind}`, async () => {
      const run = kind.replaceAll(/\W+/g, '-');
      await addByLibrary(`${run}-library`, inputs);
      await addHere(`${run}-here`, inputs);
      const library = await dump(connections.commands, `${PREFIX}:${run}-library`);
      const here = await dump(connections.commands, `${PREFIX}:${run}-here`);
      expect(Object.keys(library)).to.include.members(['id', 'events', 'meta']);
      expect(here).to.deep.equal(asHere(library));
    });
  }

  // holds: service.native-library
  it('leaves the latest events that the library leaves of a batch that makes more than are kept', async () => {
    const run = 'many-events';
    const kept = 200;
    const inputs = Array.from({ length: 500 }, (_, data) => ({ name: 'a', data }));
    const events: Record<string, readonly string[][]> = {};
    for (const side of ['library', 'here']) {
      await connections.commands.hset(`${PREFIX}:${run}-${side}:meta`, 'opts.maxLenEvents', kept);
      await addHere(`${run}-${side}`, [{ name: 'before', data: 1 }]);
      if (side === 'library') await addByLibrary(`${run}-${side}`, inputs);
      else await addHere(`${run}-${side}`, inputs);
      const stream = await connections.commands.xrange(`${PREFIX}:${run}-${side}:events`, '-', '+');
      // A stream is cut by whole nodes of up to a hundred entries.
      expect(stream.length).to.be.within(kept, kept + 101);
      events[side] = stream.slice(-kept).map(([, fields]) => fields);
    }
    expect(events['here']).to.deep.equal(events['library']);
  });

  // holds: service.native-library
  it('leaves the keys that the library leaves of a batch of many runs, and nothing else', async () => {
    const run = 'large';
    await addByLibrary(`${run}-library`, large);
    await addHere(`${run}-here`, large);
    const library = await dump(connections.commands, `${PREFIX}:${run}-library`);
    expect(await dump(connections.commands, `${PREFIX}:${run}-here`)).to.deep.equal(
      asHere(library),
    );
    expect(await connections.commands.ttl(`${PREFIX}:${run}-here:1`)).to.equal(-1);
  });

  // holds: service.native-library, deduplication.native
  it('leaves the keys that the library leaves of a large batch with deduplication ids', async () => {
    const run = 'large-deduplicated';
    const inputs = large.map((input, n): JobInput => {
      const deduplication = { id: `id-${n % 500}`, replace: n % 2 === 0, reschedule: n % 3 === 0 };
      return n % 4 === 0 ? input : { ...input, opts: { ...input.opts, deduplication } };
    });
    await addByLibrary(`${run}-library`, inputs);
    await addHere(`${run}-here`, inputs);
    const library = await dump(connections.commands, `${PREFIX}:${run}-library`);
    const here = await dump(connections.commands, `${PREFIX}:${run}-here`);
    expect({ ...here, events: [] }).to.deep.equal({
      ...asHere(library),
      events: [],
    });
  });

  it('leaves what the library leaves in a paused queue', async () => {
    const run = 'paused';
    const inputs: JobInput[] = [
      { name: 'a', data: 1 },
      { name: 'b', data: 2, opts: { priority: 2 } },
    ];
    for (const side of ['library', 'here']) {
      await connections.commands.hset(`${PREFIX}:${run}-${side}:meta`, 'paused', '1');
    }
    await addByLibrary(`${run}-library`, inputs);
    await addHere(`${run}-here`, inputs);
    const library = await dump(connections.commands, `${PREFIX}:${run}-library`);
    expect(await dump(connections.commands, `${PREFIX}:${run}-here`)).to.deep.equal(
      asHere(library),
    );
    expect(library).not.to.have.property('marker');
  });
});
