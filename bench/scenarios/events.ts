import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { Audience } from '../events/audience.ts';
import { Follower } from '../events/follower.ts';
import { local } from '../load.ts';
import { measure, type Contender } from '../measure.ts';
import { startNoOpEndpoint, type NoOpEndpoint } from '../no-op-endpoint.ts';
import { figures, noted, result, type Result } from '../report.ts';
import { addJobs } from '../service-calls.ts';
import { Stage } from '../stage.ts';

const QUEUE = 'bench';
const CONCURRENCY = 100;
const MEGABYTE = 1024 * 1024;

/** Jobs that are worked off with a subscriber and without. */
const JOBS = 10_000;

/** Jobs that are added in a second, while connections are lost. */
const RATE = 5000;
const SECONDS = 10;
const BATCH = 100;
/** A service that cannot keep up is sent no more than so many batches at a time. */
const ADDS_AT_ONCE = 8;

const SUBSCRIBERS = 1000;
/** Jobs whose events all of them are told. */
const TOLD_JOBS = 500;

/** What subscribers to events cost, and what they are told while they lose their connections. */
export async function benchEvents(rounds: number): Promise<readonly Result[]> {
  const endpoint = await startNoOpEndpoint();
  try {
    return [
      await processing(endpoint, rounds),
      await connectionsLost(endpoint),
      await manySubscribers(endpoint),
    ];
  } finally {
    await endpoint.stop();
  }
}

/** Works off a backlog, with one subscriber and with none. */
async function processing({ url, name }: NoOpEndpoint, rounds: number): Promise<Result> {
  const stage = await Stage.start();
  let follower: Follower | undefined;
  const contender = (title: string, isFollowed: boolean): Contender => ({
    name: title,
    service: stage.service,
    store: stage.store,
    before: async () => {
      await stage.redis.flushall();
      await stage.add(QUEUE, JOBS);
      if (isFollowed) follower = await Follower.start(local(stage.service), QUEUE);
    },
    run: async () => {
      await stage.startWorker(QUEUE, url, CONCURRENCY);
      return stage.untilCompleted(QUEUE, JOBS);
    },
    after: async () => {
      await stage.stopWorker(QUEUE);
      follower?.stop();
      follower = undefined;
    },
  });
  try {
    const contenders = [contender('nobody follows', false), contender('one follows', true)];
    const measured = await measure(contenders, rounds);
    const rates = result(
      `Processing that is followed, concurrency ${CONCURRENCY}`,
      'jobs/s',
      measured,
    );
    return noted(`the endpoint is ${name}`, rates);
  } finally {
    await stage.stop();
  }
}

/** Adds and processes jobs at a steady rate, while the connection of a subscriber is lost once a second. */
async function connectionsLost({ url }: NoOpEndpoint): Promise<Result> {
  const stage = await Stage.start();
  const target = local(stage.service);
  try {
    await stage.startWorker(QUEUE, url, CONCURRENCY);
    const follower = await Follower.start(target, QUEUE);
    const losing = setInterval(() => {
      follower.loseConnection();
    }, 1000);
    const started = performance.now();
    const adds = new Set<Promise<unknown>>();
    for (let sent = 0; sent < RATE * SECONDS; sent += BATCH) {
      if (adds.size === ADDS_AT_ONCE) await Promise.race(adds);
      const add: Promise<unknown> = addJobs(target, QUEUE, BATCH).then(() => adds.delete(add));
      adds.add(add);
      await sleep(Math.max(0, started + ((sent + BATCH) * 1000) / RATE - performance.now()));
    }
    await Promise.all(adds);
    const adding = (performance.now() - started) / 1000;
    await stage.untilCompleted(QUEUE, RATE * SECONDS);
    const seconds = (performance.now() - started) / 1000;
    clearInterval(losing);
    await follower.until(await lastEvent(stage.redis));
    follower.stop();
    const { told, losses, repeated, gaps, missed, completed } = follower;
    const unheard = gaps === 0 ? RATE * SECONDS - completed.size : 0;
    return figures('A connection lost once a second, one subscriber', [
      { name: 'jobs added', values: [(RATE * SECONDS) / adding], unit: 'per s' },
      { name: 'jobs completed', values: [(RATE * SECONDS) / seconds], unit: 'per s' },
      { name: 'events told', values: [told / seconds], unit: 'per s' },
      { name: 'connections lost', values: [losses], unit: '' },
      { name: 'events told twice', values: [repeated], unit: '', most: 0 },
      { name: 'jobs missed that no gap tells of', values: [missed + unheard], unit: '', most: 0 },
      { name: 'gaps', values: [gaps], unit: '' },
    ]);
  } finally {
    await stage.stop();
  }
}

/** The memory and the connections that many subscribers of one queue take, before and after they were told much. */
async function manySubscribers({ url }: NoOpEndpoint): Promise<Result> {
  const stage = await Stage.start();
  const { service, redis } = stage;
  const work = async (): Promise<void> => {
    const completed = await stage.completed(QUEUE);
    await stage.add(QUEUE, TOLD_JOBS);
    await stage.untilCompleted(QUEUE, completed + TOLD_JOBS);
  };
  const settledMemory = async (): Promise<number> => {
    await sleep(3000);
    return service.memory / MEGABYTE;
  };
  try {
    await stage.startWorker(QUEUE, url, CONCURRENCY);
    for (let times = 0; times < 20; times += 1) await work();
    const before = { memory: await settledMemory(), connections: (await clients(redis)).length };
    const audience = await Audience.gather(local(service), QUEUE, SUBSCRIBERS);
    const connected = await settledMemory();
    await work();
    const [least, most] = await audience.untilTold();
    const after = { memory: await settledMemory(), clients: await clients(redis) };
    audience.leave();
    const readers = after.clients.filter((client) => client.includes(' cmd=xread '));
    return figures(`${SUBSCRIBERS} subscribers of one queue`, [
      { name: 'resident memory before', values: [before.memory], unit: 'MB' },
      {
        name: 'more when they are connected',
        values: [connected - before.memory],
        unit: 'MB',
        most: 100,
      },
      {
        name: `more when they were told of ${TOLD_JOBS} jobs`,
        values: [after.memory - before.memory],
        unit: 'MB',
        most: 100,
      },
      { name: 'told to each', values: [most / 1024], unit: 'kB' },
      {
        name: 'told to one less than to another',
        values: [(most - least) / 1024],
        unit: 'kB',
        most: 0,
      },
      { name: 'connections that read events', values: [readers.length], unit: '', most: 1 },
      {
        name: 'more connections to Redis',
        values: [after.clients.length - before.connections],
        unit: '',
        most: 1,
      },
    ]);
  } finally {
    await stage.stop();
  }
}

async function clients(redis: Redis): Promise<readonly string[]> {
  return String(await redis.client('LIST'))
    .trim()
    .split('\n');
}

async function lastEvent(redis: Redis): Promise<string> {
  const [last] = await redis.xrevrange(`bull:${QUEUE}:events`, '+', '-', 'COUNT', 1);
  return last?.[0] ?? '';
}
