import { expect } from 'chai';
import type { Redis } from 'ioredis';
import { AttemptEndings } from '../../../src/adapters/outbound/redis/attempts/attempt-endings.ts';
import { FlowChildren } from '../../../src/adapters/outbound/redis/flows/flow-children.ts';
import { Claiming } from '../../../src/adapters/outbound/redis/attempts/claiming.ts';
import { libraryScripts } from '../../../src/adapters/outbound/redis/attempts/library-scripts.ts';
import { CronCalendar } from '../../../src/adapters/outbound/cron/cron-calendar.ts';
import { QueueKeysCache } from '../../../src/adapters/outbound/redis/layout/queue-keys-cache.ts';
import { NextJobs } from '../../../src/adapters/outbound/redis/schedulers/next-jobs.ts';
import { SchedulerPlans } from '../../../src/adapters/outbound/redis/schedulers/scheduler-plans.ts';
import { StoreCommands } from '../../../src/adapters/outbound/redis/connection/store-commands.ts';
import { queueKeys } from '../../../src/adapters/outbound/redis/layout/queue-keys.ts';
import type { AttemptEnding } from '../../../src/domain/attempts/ending.ts';
import type { AttemptKey } from '../../../src/domain/attempts/attempt.ts';
import type { ClaimRequest } from '../../../src/domain/attempts/claim.ts';
import type { JobInput } from '../../../src/domain/jobs/job.ts';
import { newJob } from '../../../src/domain/jobs/job.ts';
import type { Json } from '../../../src/domain/values/json.ts';
import type { JobRetention, Retention } from '../../../src/domain/jobs/job-retention.ts';
import { queueNamed } from '../../support/queue-named.ts';
import { dump } from '../../support/redis/queue-dump.ts';
import {
  REPLICA,
  redisReplica,
  EVENTS_KEPT,
  silentErrors,
  TestConnections,
} from '../../support/redis/redis-stores.ts';
import { silentLogger } from '../../support/silent-logger.ts';
import { testStore } from '../../support/redis/test-store.ts';

const QUEUE = queueNamed('mail');

interface Scene {
  readonly jobs: readonly JobInput[];
  /** How many attempts run, and end. */
  readonly attempts: number;
  readonly keep?: Retention;
  readonly returnvalue?: Json;
  /** Most attempts at once, thirty unless given. */
  readonly concurrency?: number;
  /** False when no other claim follows in their place. */
  readonly claims?: false;
  readonly meta?: Readonly<Record<string, string>>;
  /** What a native producer has stored in every job. */
  readonly stored?: Readonly<Record<string, string>>;
}

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
  'jobs that fell due': {
    jobs: [
      ...plain(3),
      { name: 'late', data: 1, opts: { delay: 1 } },
      { name: 'later', data: 2, opts: { delay: 2, priority: 5 } },
      { name: 'latest', data: 3, opts: { delay: 60_000 } },
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
  'a long return value': { jobs: plain(2), attempts: 2, returnvalue: 'x'.repeat(2000) },
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
  'fewer places than attempts': { jobs: plain(9), attempts: 4, concurrency: 2 },
  'a bound on the attempts of all workers': {
    jobs: plain(9),
    attempts: 4,
    meta: { concurrency: '3' },
  },
  'a bound on the events': { jobs: plain(300), attempts: 20, meta: { 'opts.maxLenEvents': '100' } },
};

function withoutTokens(dumped: Record<string, unknown>): Record<string, unknown> {
  const text = JSON.stringify(dumped).replaceAll(/\b\d{32}\b/g, 'token');
  return JSON.parse(text) as Record<string, unknown>;
}

describe('completing attempts in Redis', () => {
  let connections: TestConnections<Redis>;

  beforeEach(async () => {
    connections = await TestConnections.open((await testStore()).uri);
  });
  afterEach(() => connections.close());

  /** Plays a scene, with attempts that end through `complete`, and returns all that is left of the queue. */
  async function played(
    prefix: string,
    { jobs, attempts: running, keep, returnvalue = { ok: true }, ...scene }: Scene,
    complete: (
      attempts: readonly AttemptKey[],
      ending: AttemptEnding & { kind: 'completed' },
      claims: readonly (ClaimRequest | undefined)[],
      replica: ReturnType<typeof redisReplica>,
      commands: StoreCommands,
    ) => Promise<void>,
  ): Promise<Record<string, unknown>> {
    let now = 1_800_000_000_000;
    const clock = { now: () => now, sleep: () => Promise.resolve() };
    const replica = redisReplica(connections, { prefix, clock });
    const commands = new StoreCommands(connections.commands, silentErrors(), EVENTS_KEPT);
    await commands.time.measured();
    await replica.queues.add(
      QUEUE,
      jobs.map((input) => newJob(input, '')),
    );
    for (let id = 1; scene.stored !== undefined && id <= jobs.length; id += 1) {
      await connections.commands.hset(`${prefix}:${QUEUE}:${id}`, scene.stored);
    }
    let drawn = 0;
    const claim = (concurrency: number): ClaimRequest => ({
      token: String((drawn += 1)).padStart(32, '0'),
      concurrency,
      lockDuration: 60_000,
    });
    const attempts: AttemptKey[] = [];
    for (let count = 0; count < running; count += 1) {
      const claimed = await replica.attempts.claim(QUEUE, claim(30));
      if (claimed.kind !== 'attempt') throw new Error('There is no job to claim');
      attempts.push(claimed.attempt);
    }
    if (scene.meta) await connections.commands.hset(`${prefix}:${QUEUE}:meta`, scene.meta);
    now += 1000;
    const claims = attempts.map(() =>
      scene.claims === false ? undefined : claim(scene.concurrency ?? 30),
    );
    const ending = { kind: 'completed', returnvalue, keep } as const;
    await complete(attempts, ending, claims, replica, commands);
    const left = await dump(connections.commands, `${prefix}:${QUEUE}`);
    const events = left['events'] as readonly (readonly string[])[];
    // Events of different jobs come in another order: of all that end, then of all that start. And where not
    // everybody gets a job, others may be the ones who do.
    return withoutTokens({ ...left, events: events.map((event) => event.join(' ')).sort() });
  }

  for (const [title, scene] of Object.entries(scenes)) {
    // holds: service.native-library
    it(`leaves what the library leaves, one after the other: ${title}`, async () => {
      const run = `ended-${process.pid}-${title.replaceAll(/\W+/g, '-')}`;
      const library = await played(
        `${run}-library`,
        scene,
        async (attempts, ending, claims, _replica, commands) => {
          const keys = queueKeys(`${run}-library`, QUEUE);
          const clock = { now: () => 1_800_000_001_000, sleep: () => Promise.resolve() };
          const cache = new QueueKeysCache('bull', 10);
          const plans = new SchedulerPlans(commands, cache, clock);
          const calendar = new CronCalendar();
          const nextJobs = new NextJobs(plans, commands, cache, calendar, silentLogger);
          const claiming = new Claiming(
            clock,
            commands.time,
            nextJobs,
            new FlowChildren(commands, `${run}-library`),
            REPLICA,
          );
          const endings = new AttemptEndings(
            libraryScripts(),
            commands.scripts,
            claiming,
            clock,
            () => Promise.reject(new Error('No attempt failed')),
          );
          for (const [index, attempt] of attempts.entries()) {
            const answer = await endings.end(keys, attempt, ending, claims[index]);
            if (typeof answer === 'number') expect(answer).to.equal(0);
            else expect(answer).to.have.lengthOf(4);
          }
        },
      );
      const here = await played(`${run}-here`, scene, async (attempts, ending, claims, replica) => {
        const settled = await Promise.all(
          attempts.map((attempt, index) =>
            replica.attempts.settle(QUEUE, attempt, ending, claims[index]),
          ),
        );
        expect(settled.every(({ held }) => held)).to.equal(true);
      });
      expect(here).to.deep.equal(library);
    });
  }
});
