import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { Audience } from '../events/audience.ts';
import { Follower } from '../events/follower.ts';
import { StoppedReaders } from '../events/stopped-readers.ts';
import { local } from '../load.ts';
import { measure, type Contender } from '../measure.ts';
import { startNoOpEndpoint, type NoOpEndpoint } from '../no-op-endpoint.ts';
import { figures, noted, result, type Result } from '../report.ts';
import type { ServerProcess } from '../server-process.ts';
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
/** Jobs with events that every subscriber receives. */
const FOLLOWED_JOBS = 500;

const STOPPED = 200;
/** Jobs with more events than the system buffers for a connection. */
const IGNORED_JOBS = 20_000;

/** What subscribers to events cost, and what they receive while they lose their connections. */
export async function benchEvents(rounds: number): Promise<readonly Result[]> {
  const endpoint = await startNoOpEndpoint();
  try {
    return [
      await processing(endpoint, rounds),
      await connectionsLost(endpoint),
      await manySubscribers(endpoint),
      await subscribersThatStop(endpoint),
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
    const { received, losses, repeated, gaps, missed, completed } = follower;
    const unheard = gaps === 0 ? RATE * SECONDS - completed.size : 0;
    return figures('A connection lost once a second, one subscriber', [
      { name: 'jobs added', values: [(RATE * SECONDS) / adding], unit: 'per s' },
      { name: 'jobs completed', values: [(RATE * SECONDS) / seconds], unit: 'per s' },
      { name: 'events received', values: [received / seconds], unit: 'per s' },
      { name: 'connections lost', values: [losses], unit: '' },
      { name: 'events received twice', values: [repeated], unit: '', most: 0 },
      { name: 'jobs missed that no gap reports', values: [missed + unheard], unit: '', most: 0 },
      { name: 'gaps', values: [gaps], unit: '' },
    ]);
  } finally {
    await stage.stop();
  }
}

/** The memory and the connections that many subscribers of one queue take, before and after many events. */
async function manySubscribers({ url }: NoOpEndpoint): Promise<Result> {
  const stage = await Stage.start();
  const { service, redis } = stage;
  try {
    await stage.startWorker(QUEUE, url, CONCURRENCY);
    for (let times = 0; times < 20; times += 1) await workOff(stage);
    const before = {
      memory: await settledMemory(service),
      connections: (await clients(redis)).length,
    };
    const audience = await Audience.gather(local(service), QUEUE, SUBSCRIBERS);
    const connected = await settledMemory(service);
    await workOff(stage);
    const [least, most] = await audience.untilTold();
    const after = { memory: await settledMemory(service), clients: await clients(redis) };
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
        name: `more after the events of ${FOLLOWED_JOBS} jobs`,
        values: [after.memory - before.memory],
        unit: 'MB',
        most: 100,
      },
      { name: 'received by each', values: [most / 1024], unit: 'kB' },
      {
        name: 'difference between the least and the most',
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

/** What subscribers cost that stop reading, until they are closed, and what another one receives beside them. */
async function subscribersThatStop({ url }: NoOpEndpoint): Promise<Result> {
  const stage = await Stage.start();
  const { service, redis } = stage;
  const work = async (): Promise<number> => {
    const started = performance.now();
    for (let left = IGNORED_JOBS; left > 0; left -= FOLLOWED_JOBS) await workOff(stage);
    return IGNORED_JOBS / ((performance.now() - started) / 1000);
  };
  try {
    await stage.startWorker(QUEUE, url, CONCURRENCY);
    const follower = await Follower.start(local(service), QUEUE);
    await work();
    const alone = await work();
    const before = await settledMemory(service);
    const readers = await StoppedReaders.gather(service, local(service), QUEUE, STOPPED);
    follower.latest = 0;
    const started = performance.now();
    const since = (): number => (performance.now() - started) / 1000;
    const filling = await work();
    const full = await work();
    const stuck = { open: readers.open, memory: await settledMemory(service) };
    await readers.untilLeft(STOPPED - 1);
    const first = since();
    await readers.untilLeft(0);
    const last = since();
    const after = await settledMemory(service);
    await follower.until(await lastEvent(redis));
    readers.leave();
    follower.stop();
    const { repeated, gaps, missed, latest } = follower;
    return figures(`${STOPPED} subscribers that stop reading, beside one that reads`, [
      { name: 'jobs completed with the one alone', values: [alone], unit: 'per s' },
      { name: 'while their buffers fill', values: [filling], unit: 'per s' },
      { name: 'beside them from then on', values: [full], unit: 'per s' },
      { name: 'of them open by then', values: [stuck.open], unit: '' },
      { name: 'resident memory before', values: [before], unit: 'MB' },
      { name: 'more while they are open', values: [stuck.memory - before], unit: 'MB', most: 100 },
      { name: 'the first is closed after', values: [first], unit: 's' },
      { name: 'the last is closed after', values: [last], unit: 's', most: 90 },
      { name: 'more when all are closed', values: [after - before], unit: 'MB', most: 50 },
      { name: 'delay of an event to that one', values: [latest], unit: 'ms' },
      { name: 'received twice by that one', values: [repeated], unit: '', most: 0 },
      { name: 'missed by the one', values: [missed], unit: '', most: 0 },
      { name: 'gaps of the one', values: [gaps], unit: '', most: 0 },
    ]);
  } finally {
    await stage.stop();
  }
}

/** Adds jobs, and resolves when they are worked off. */
async function workOff(stage: Stage): Promise<void> {
  const completed = await stage.completed(QUEUE);
  await stage.add(QUEUE, FOLLOWED_JOBS);
  await stage.untilCompleted(QUEUE, completed + FOLLOWED_JOBS);
}

/** The resident memory of a service that has nothing to do any more, in megabytes. */
async function settledMemory(service: ServerProcess): Promise<number> {
  await sleep(3000);
  return service.memory / MEGABYTE;
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
