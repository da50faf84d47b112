import { expect } from 'chai';
import { Redis } from 'ioredis';
import { newJob, type NewJob } from '../../../src/domain/jobs/job.ts';
import type { QueueName } from '../../../src/domain/queues/queue-name.ts';
import { queueNamed } from '../../support/queue-named.ts';
import { RedisServer } from '../../support/redis/redis-server.ts';
import {
  redisReplica,
  TestConnections,
  type RedisReplica,
} from '../../support/redis/redis-stores.ts';

/** More than one run adds, so they are staged, and so few that it takes two runs. */
const MANY = 400;
const HALF = MANY / 2;

const HOUR = 3_600_000;

/** The fields of hashes that hold times, or places in groups. */
const VARYING = new Set(['timestamp', 'jobgate:expires', 'jobgate:group-order', 'o']);

/** The options of jobs, each kind beside all others. */
const KINDS: readonly ((n: number) => object)[] = [
  () => ({}),
  (n) => ({ group: { id: `group-${n % 30}` } }),
  (n) => ({ priority: 1 + (n % 3) }),
  (n) => ({ group: { id: `group-${n % 70}` }, priority: 2 }),
  () => ({ lifo: true }),
  (n) => ({ group: { id: `group-${n % 20}` }, lifo: true }),
  (n) => ({ delay: HOUR + 1000 * n }),
  (n) => ({ group: { id: `late-${n % 5}` }, delay: HOUR + 1000 * n }),
  () => ({ ttl: HOUR }),
  (n) => ({ jobId: `job-${n}` }),
  (n) => ({ jobId: `grouped-${n}`, group: { id: `group-${n % 90}` } }),
  (n) => ({ deduplication: { id: `id-${n}` } }),
  (n) => ({ deduplication: { id: `short-${n}`, ttl: HOUR } }),
  (n) => ({ deduplication: { id: `other-${n}`, ttl: 2 * HOUR }, group: { id: 'one' } }),
];

function jobsOf(kinds: readonly ((n: number) => object)[]): readonly NewJob[] {
  return Array.from({ length: MANY }, (_, n) => {
    const opts = kinds[n % kinds.length]?.(n) ?? {};
    return newJob({ name: `work-${n % 2}`, data: n, opts }, '');
  });
}

/**
 * What is stored of a queue, without the times, which differ from run to run, and without the numbers of places in
 * groups: staged jobs get theirs before it is known which of them stand for others.
 */
async function stored(redis: Redis, queue: QueueName): Promise<Record<string, unknown>> {
  const base = `bull:${queue}:`;
  const found: Record<string, unknown> = {};
  for (const key of (await redis.keys(`${base}*`)).toSorted()) {
    const name = key.slice(base.length);
    found[name] = await valueOf(redis, key, name);
  }
  return found;
}

async function valueOf(redis: Redis, key: string, name: string): Promise<unknown> {
  switch (await redis.type(key)) {
    case 'hash': {
      const hash = Object.entries(await redis.hgetall(key));
      return hash
        .map(([field, value]) => (VARYING.has(field) ? [field] : [field, value]))
        .toSorted();
    }
    case 'list':
      return redis.lrange(key, 0, -1);
    case 'zset':
      // Scores of these are times.
      if (name === 'jobgate:expiring') return (await redis.zrange(key, 0, -1)).toSorted();
      if (name === 'jobgate:group-waiting') {
        return (await redis.zrange(key, 0, -1)).map((member) => member.replace(/\0.{20}/, ' '));
      }
      return /^(?:delayed|marker)$/.test(name)
        ? redis.zrange(key, 0, -1)
        : redis.zrange(key, '0', '-1', 'WITHSCORES');
    case 'stream':
      return (await redis.xrange(key, '-', '+')).map(([, fields]) =>
        fields.map((field, at) => (fields[at - 1] === 'delay' ? 'a time' : field)),
      );
    default:
      return [await redis.get(key), (await redis.pttl(key)) > 0];
  }
}

describe('Staged adds', () => {
  let server: RedisServer;
  let connections: TestConnections;
  let replica: RedisReplica;
  let redis: Redis;

  before(async () => {
    server = await RedisServer.start();
    connections = await TestConnections.open(server.uri);
    replica = redisReplica(connections);
    redis = new Redis(server.uri);
  });

  after(async () => {
    redis.disconnect();
    connections.close();
    await server.stop();
  });

  const fresh = { before: [], jobs: jobsOf(KINDS) };
  const [plain] = jobsOf([() => ({})]);
  for (const [index, [what, { before, jobs }]] of (
    [
      ['of all kinds', fresh],
      ['in groups, behind a job without one', { before: [plain], jobs: jobsOf(KINDS.slice(1, 2)) }],
      ['without groups, of which none is there', { before: [], jobs: jobsOf([KINDS[2] as never]) }],
      [
        'to a queue of all kinds',
        { before: fresh.jobs.slice(0, HALF), jobs: jobsOf(KINDS.slice(0, 9)) },
      ],
      ['of which some are there', { before: fresh.jobs.slice(0, HALF), jobs: fresh.jobs }],
      [
        'of which some stand for others of them',
        {
          before: [],
          jobs: jobsOf([
            ...KINDS,
            () => ({ jobId: 'same' }),
            () => ({ deduplication: { id: 'same' } }),
          ]),
        },
      ],
      [
        'of which some replace others of them',
        {
          before: [],
          jobs: jobsOf([
            KINDS[1] as never,
            KINDS[8] as never,
            () => ({ delay: HOUR, deduplication: { id: 'latest', replace: true } }),
            () => ({ deduplication: { id: 'longer', ttl: HOUR, extend: true } }),
            (n) => ({ priority: 1 + (n % 3), deduplication: { id: `held-${n % 5}` } }),
            (n) => ({
              jobId: `own-${n % 35}`,
              delay: HOUR,
              deduplication: { id: `own-${n % 25}`, replace: true },
            }),
          ]),
        },
      ],
    ] as const
  ).entries()) {
    // holds: adding.large
    it(`leave what smaller adds leave: ${what}`, async () => {
      const [staged, small] = [queueNamed(`staged-${index}`), queueNamed(`small-${index}`)];
      for (const queue of [staged, small]) {
        if (before.length > 0) await replica.queues.add(queue, before as readonly NewJob[]);
      }
      await replica.queues.add(staged, jobs);
      await replica.queues.add(small, jobs.slice(0, HALF));
      await replica.queues.add(small, jobs.slice(HALF));
      const [one, other] = [await stored(redis, staged), await stored(redis, small)];
      for (const key of new Set([...Object.keys(one), ...Object.keys(other)])) {
        expect(one[key], key).to.deep.equal(other[key]);
      }
    });
  }
});
