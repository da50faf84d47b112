import { expect } from 'chai';
import type { Redis } from 'ioredis';
import { queueKeys } from '../../../src/adapters/outbound/redis/layout/queue-keys.ts';
import type { Attempt } from '../../../src/domain/attempts/attempt.ts';
import type { ClaimRequest } from '../../../src/domain/attempts/claim.ts';
import type { AttemptEnding } from '../../../src/domain/attempts/ending.ts';
import { newJob, type JobInput } from '../../../src/domain/jobs/job.ts';
import type { JobRetention, Retention } from '../../../src/domain/jobs/job-retention.ts';
import type { Json } from '../../../src/domain/values/json.ts';
import { clockOf } from '../../support/clock-of.ts';
import { queueNamed } from '../../support/queue-named.ts';
import { NativeEndings } from '../../support/redis/native-endings.ts';
import { leftOf } from '../../support/redis/left-of.ts';
import { redisReplica, TestConnections } from '../../support/redis/redis-stores.ts';
import { testStore } from '../../support/redis/test-store.ts';

const QUEUE = queueNamed('mail');
const LOCK_DURATION = 60_000;

interface Scene {
  readonly jobs: readonly JobInput[];
  /** How many attempts run, and end. */
  readonly attempts: number;
  readonly keep?: Retention;
  readonly returnvalue?: Json;
  /** False when no other claim follows in their place. */
  readonly claims?: false;
  readonly meta?: Readonly<Record<string, string>>;
  /** What a native producer has stored in every job, and beside it. */
  readonly stored?: Readonly<Record<string, string>>;
  readonly beside?: (redis: Redis, queue: string) => Promise<unknown>;
}

type End = (attempt: Attempt, ending: NativeEnding, claim?: ClaimRequest) => Promise<unknown>;
type NativeEnding = Exclude<AttemptEnding, { kind: 'deferred' | 'suspended' }>;

const plain = (count: number): JobInput[] =>
  Array.from({ length: count }, (_, data) => ({ name: 'job', data }));

const keeping = (...rules: readonly (JobRetention | undefined)[]): JobInput[] =>
  rules.map((removeOnComplete, data) => {
    return { name: 'job', data, opts: removeOnComplete === undefined ? {} : { removeOnComplete } };
  });

const scenes: Readonly<Record<string, Scene>> = {
  'one attempt': { jobs: plain(2), attempts: 1 },
  'the last attempt of a queue': { jobs: plain(1), attempts: 1 },
  'the last attempts of a queue': { jobs: plain(3), attempts: 3 },
  'many attempts with jobs for all': { jobs: plain(50), attempts: 20 },
  'attempts with jobs for some': { jobs: plain(7), attempts: 5 },
  'attempts in whose place nobody claims': { jobs: plain(5), attempts: 3, claims: false },
  'the last attempts, in whose place nobody claims': { jobs: plain(2), attempts: 2, claims: false },
  'prioritized jobs': {
    jobs: [
      ...plain(2),
      ...[3, 1, 2].map((priority) => ({ name: 'p', data: priority, opts: { priority } })),
    ],
    attempts: 2,
  },
  'jobs that are not due yet': {
    jobs: [...plain(2), { name: 'late', data: 1, opts: { delay: 60_000 } }],
    attempts: 2,
  },
  'a few jobs kept': { jobs: plain(20), attempts: 9, keep: { count: 4 } },
  'jobs kept for a time': { jobs: plain(20), attempts: 9, keep: { age: 3600 } },
  'jobs kept for a time, but few': { jobs: plain(20), attempts: 9, keep: { age: 3600, count: 2 } },
  'no job kept': { jobs: plain(5), attempts: 3, keep: { count: 0 } },
  'jobs that ask to be removed': {
    jobs: plain(4),
    attempts: 2,
    stored: { opts: '{"attempts":0,"delay":0,"removeOnComplete":true}' },
  },
  'jobs that say how many stay': {
    jobs: keeping({ count: 3 }, 4, { age: 60 }, { count: 2, age: 60 }, {}, 1, 9),
    attempts: 7,
  },
  'jobs that go and jobs that stay': {
    jobs: keeping(true, false, undefined, 0, { age: 5, count: 0 }, true, undefined),
    attempts: 7,
    keep: { count: 2 },
  },
  'jobs of which the worker keeps none': {
    jobs: keeping(undefined, false, { count: 1 }, undefined),
    attempts: 4,
    keep: { count: 0, age: 1 },
  },
  'jobs whose rule bounds how many go at once': {
    jobs: plain(9),
    attempts: 6,
    stored: { opts: '{"attempts":0,"delay":0,"removeOnComplete":{"age":-5,"limit":2}}' },
  },
  'a paused queue': { jobs: plain(6), attempts: 3, meta: { paused: '1' } },
  'a bound on the attempts of all workers': {
    jobs: plain(9),
    attempts: 4,
    meta: { concurrency: '3' },
  },
  'a bound on the events': { jobs: plain(300), attempts: 20, meta: { 'opts.maxLenEvents': '100' } },
};

/** A parent in another queue that waits for all its children, under the rule for those that fail. */
const withParent = (rule: object, children: number): Partial<Scene> => ({
  beside: async (redis, queue) => {
    const [prefix] = queue.split(':');
    const family = `${prefix}:family`;
    await redis.hset(`${family}:meta`, 'opts.maxLenEvents', '100');
    await redis.hset(`${family}:up`, {
      name: 'up',
      data: '{}',
      opts: '{}',
      priority: '0',
      delay: '0',
    });
    await redis.zadd(`${family}:waiting-children`, 1, 'up');
    for (let id = 1; id <= children; id += 1) {
      await redis.sadd(`${family}:up:dependencies`, `${queue}:${id}`);
      const parent = JSON.stringify({ id: 'up', queueKey: family, ...rule });
      await redis.hset(`${queue}:${id}`, { parentKey: `${family}:up`, parent });
    }
  },
});

/** A job that stands for a deduplication id, and another that follows it. */
const deduplicated: Partial<Scene> = {
  beside: async (redis, queue) => {
    await redis.set(`${queue}:de:same`, '1');
    await redis.hset(`${queue}:1`, 'deid', 'same');
    const opts = JSON.stringify({ attempts: 1, de: { id: 'same', keepLastIfActive: true } });
    await redis.hset(`${queue}:dn:same`, { name: 'next', data: '{"a":1}', opts });
  },
};

const endings: Readonly<Record<string, NativeEnding>> = {
  completed: { kind: 'completed', returnvalue: { ok: true } },
  failed: { kind: 'failed', reason: 'no' },
  'tried again at once': { kind: 'retry', reason: 'no', delay: 0 },
  'tried again later': { kind: 'retry', reason: 'no', delay: 5000 },
};

const families: Readonly<Record<string, Scene>> = {
  'a child': { jobs: plain(1), attempts: 1, ...withParent({}, 1) },
  'the first of two children': { jobs: plain(2), attempts: 1, ...withParent({}, 2) },
  'a child whose failure fails the parent': {
    jobs: plain(2),
    attempts: 1,
    ...withParent({ fpof: true }, 2),
  },
  'a child that the parent goes on without': {
    jobs: plain(2),
    attempts: 1,
    ...withParent({ cpof: true }, 2),
  },
  'a child whose failure counts for nothing': {
    jobs: plain(1),
    attempts: 1,
    ...withParent({ idof: true }, 1),
  },
  'a child that is left out': { jobs: plain(1), attempts: 1, ...withParent({ rdof: true }, 1) },
  'a child that is not kept': {
    jobs: keeping(true),
    attempts: 1,
    ...withParent({}, 1),
  },
  'a job that another one follows': { jobs: plain(1), attempts: 1, ...deduplicated },
  'a job with a priority': { jobs: [{ name: 'p', data: 1, opts: { priority: 3 } }], attempts: 1 },
  'a job that goes ahead': {
    jobs: [{ name: 'l', data: 1, opts: { lifo: true } }, ...plain(2)],
    attempts: 1,
  },
};

describe('attempts in Redis, as BullMQ leaves them', () => {
  let connections: TestConnections<Redis>;

  beforeEach(async () => {
    connections = await TestConnections.open((await testStore()).uri);
  });
  afterEach(() => connections.close());

  /** Plays a scene and returns all that is left. `native` ends the attempts by BullMQ's own scripts. */
  async function played(
    prefix: string,
    scene: Scene,
    ending: NativeEnding,
    isNative: boolean,
  ): Promise<unknown> {
    let now = 1_800_000_000_000;
    const clock = clockOf(() => now);
    const { queues, attempts } = redisReplica(connections, { prefix, clock });
    const redis = connections.commands;
    const queue = `${prefix}:${QUEUE}`;
    await queues.add(
      QUEUE,
      scene.jobs.map((input) => newJob(input, '')),
    );
    for (let id = 1; scene.stored !== undefined && id <= scene.jobs.length; id += 1) {
      await redis.hset(`${queue}:${id}`, scene.stored);
    }
    await scene.beside?.(redis, queue);
    let drawn = 0;
    const claim = (): ClaimRequest => ({
      token: String((drawn += 1)).padStart(32, '0'),
      lockDuration: LOCK_DURATION,
    });
    const running: Attempt[] = [];
    for (let count = 0; count < scene.attempts; count += 1) {
      const claimed = await attempts.claim(QUEUE, claim());
      if (claimed.kind !== 'attempt') throw new Error('There is no job to claim');
      running.push(claimed.attempt);
    }
    if (scene.meta) await redis.hset(`${queue}:meta`, scene.meta);
    now += 1000;
    const native = new NativeEndings(redis, queueKeys(prefix, QUEUE), () => now);
    const end: End = isNative
      ? (attempt, how, next) => native.end(attempt, attempt.job, how, next)
      : async (attempt, how, next) => {
          const { held } = await attempts.settle(QUEUE, attempt, how, next);
          expect(held).to.equal(true);
        };
    const claims = running.map(() => (scene.claims === false ? undefined : claim()));
    const ends = running.map((attempt, index) => () => end(attempt, ending, claims[index]));
    // Ours share one run; BullMQ's come one after the other.
    if (isNative) for (const each of ends) await each();
    else await Promise.all(ends.map((each) => each()));
    // Ours wake the other replicas when a slot gets free and is not taken.
    if (scene.claims === false) await redis.del(`${queue}:marker`);
    return leftOf(redis, prefix);
  }

  async function expectTheSame(title: string, scene: Scene, ending: NativeEnding): Promise<void> {
    const run = `ended-${process.pid}-${title.replaceAll(/\W+/g, '-')}`;
    const native = await played(`${run}-native`, scene, ending, true);
    expect(await played(`${run}-ours`, scene, ending, false)).to.deep.equal(native);
  }

  for (const [title, scene] of Object.entries(scenes)) {
    const { keep, returnvalue = { ok: true } } = scene;
    // holds: service.native-library
    it(`completes ${title}`, () =>
      expectTheSame(title, scene, { kind: 'completed', returnvalue, keep }));
    it(`fails ${title}`, () =>
      expectTheSame(`failed-${title}`, scene, { kind: 'failed', reason: 'no', keep }));
  }

  for (const [title, scene] of Object.entries(families)) {
    for (const [how, ending] of Object.entries(endings)) {
      it(`leaves ${title} as BullMQ does when it is ${how}`, () =>
        expectTheSame(`${how}-${title}`, { ...scene, claims: false }, ending));
    }
  }
});
