import { expect } from 'chai';
import type { Redis } from 'ioredis';
import { queueKeys } from '../../../src/adapters/outbound/redis/layout/queue-keys.ts';
import type { ClaimRequest } from '../../../src/domain/attempts/claim.ts';
import { newJob, type JobInput } from '../../../src/domain/jobs/job.ts';
import { eventually } from '../../support/eventually.ts';
import { clockOf } from '../../support/clock-of.ts';
import { queueNamed } from '../../support/queue-named.ts';
import { leftOf } from '../../support/redis/left-of.ts';
import { NativeEndings } from '../../support/redis/native-endings.ts';
import {
  redisReplica,
  TestConnections,
  type RedisReplica,
} from '../../support/redis/redis-stores.ts';
import { testStore } from '../../support/redis/test-store.ts';

const QUEUE = queueNamed('mail');
const CLAIM: ClaimRequest = { token: '1'.padStart(32, '0'), lockDuration: 60_000 };
const MAX_STALLED_COUNT = 1;
const GRACE = 1;

type Attempts = RedisReplica['attempts'];

/** What happens to the jobs of a queue: by our scripts, and by those of BullMQ. */
interface Scene {
  readonly jobs: readonly JobInput[];
  readonly meta?: Readonly<Record<string, string>>;
  /** How many ms after the adds. */
  readonly after?: number;
  readonly ours: (attempts: Attempts, redis: Redis, queue: string) => Promise<unknown>;
  readonly native: (native: NativeEndings, redis: Redis, queue: string) => Promise<unknown>;
}

const plain: readonly JobInput[] = [
  { name: 'first', data: 1 },
  { name: 'second', data: 2 },
];
const prioritized: readonly JobInput[] = [3, 1, 2].map((priority) => {
  return { name: 'p', data: priority, opts: { priority } };
});

const claims = (request: Partial<ClaimRequest> = {}): Pick<Scene, 'ours' | 'native'> => ({
  ours: (attempts) => attempts.claim(QUEUE, { ...CLAIM, ...request }),
  native: (native) => native.claim({ ...CLAIM, ...request }),
});

/** The first job is claimed by us on both sides, and given back. */
const releases: Pick<Scene, 'ours' | 'native'> = {
  ours: async (attempts) => {
    const claimed = await attempts.claim(QUEUE, CLAIM);
    if (claimed.kind !== 'attempt') throw new Error('There is no job to claim');
    await attempts.release(QUEUE, claimed.attempt);
  },
  native: async (native, redis, queue) => {
    await native.claim(CLAIM);
    const [jobId = ''] = await redis.lrange(`${queue}:active`, 0, 0);
    await native.release({ jobId, token: CLAIM.token });
  },
};

/** The lock of the first job runs out, which a check finds that comes after another one. */
const stalls: Pick<Scene, 'ours' | 'native'> = {
  ours: async (attempts, redis, queue) => {
    await attempts.claim(QUEUE, CLAIM);
    await loseLocks(redis, queue);
    await eventually('the job stalled', async () => {
      const { stalled } = await attempts.recoverStalled(QUEUE, MAX_STALLED_COUNT);
      return stalled.length > 0;
    });
  },
  native: async (native, redis, queue) => {
    await native.claim(CLAIM);
    await loseLocks(redis, queue);
    await native.recoverStalled(MAX_STALLED_COUNT, GRACE);
    await redis.del(`${queue}:stalled-check`);
    await native.recoverStalled(MAX_STALLED_COUNT, GRACE);
  },
};

async function loseLocks(redis: Redis, queue: string): Promise<void> {
  await redis.del(await redis.keys(`${queue}:*:lock`));
}

const scenes: Readonly<Record<string, Scene>> = {
  'a waiting job that starts': { jobs: plain, ...claims() },
  'a queue without jobs': { jobs: [], ...claims() },
  'a prioritized job that starts': { jobs: prioritized, ...claims() },
  'a job that starts ahead': {
    jobs: [...plain, { name: 'l', data: 3, opts: { lifo: true } }],
    ...claims(),
  },
  'a delayed job that is due': {
    jobs: [{ name: 'late', data: 1, opts: { delay: 1000 } }],
    after: 2000,
    ...claims(),
  },
  'a delayed job that is due, with a priority': {
    jobs: [{ name: 'late', data: 1, opts: { delay: 1000, priority: 4 } }],
    after: 2000,
    ...claims(),
  },
  'a delayed job that is not due': {
    jobs: [{ name: 'late', data: 1, opts: { delay: 5000 } }],
    after: 2000,
    ...claims(),
  },
  'a job of a paused queue': { jobs: plain, meta: { paused: '1' }, ...claims() },
  'a job of a full queue': { jobs: plain, meta: { concurrency: '0' }, ...claims() },
  'a job that a limit for all workers counts': {
    jobs: plain,
    meta: { max: '3', duration: '60000' },
    ...claims(),
  },
  'a waiting job that goes back': { jobs: plain, ...releases },
  'a prioritized job that goes back': { jobs: prioritized, ...releases },
  'a job that stalls': { jobs: plain, ...stalls },
  'a prioritized job that stalls': { jobs: prioritized, ...stalls },
};

describe('starts and returns of jobs in Redis, as BullMQ leaves them', () => {
  let connections: TestConnections<Redis>;

  beforeEach(async () => {
    connections = await TestConnections.open((await testStore()).uri);
  });
  afterEach(() => connections.close());

  async function played(prefix: string, scene: Scene, isNative: boolean): Promise<unknown> {
    let now = 1_800_000_000_000;
    const clock = clockOf(() => now);
    const { queues, attempts } = redisReplica(connections, { prefix, clock, stalledGrace: GRACE });
    const redis = connections.commands;
    const queue = `${prefix}:${QUEUE}`;
    await queues.add(
      QUEUE,
      scene.jobs.map((input) => newJob(input, '')),
    );
    if (scene.meta) await redis.hset(`${queue}:meta`, scene.meta);
    now += scene.after ?? 0;
    const native = new NativeEndings(redis, queueKeys(prefix, QUEUE), () => now);
    await (isNative ? scene.native(native, redis, queue) : scene.ours(attempts, redis, queue));
    // It ends by itself soon.
    await redis.del(`${queue}:stalled-check`);
    return leftOf(redis, prefix);
  }

  for (const [title, scene] of Object.entries(scenes)) {
    // holds: service.native-library
    it(`leave ${title} as BullMQ does`, async () => {
      const run = `started-${process.pid}-${title.replaceAll(/\W+/g, '-')}`;
      const native = await played(`${run}-native`, scene, true);
      expect(await played(`${run}-ours`, scene, false)).to.deep.equal(native);
    });
  }
});
