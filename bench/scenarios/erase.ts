import type { Redis } from 'ioredis';
import { dumpOf } from '../../test/support/redis/dump-of.ts';
import { local, type Target } from '../load.ts';
import { Neighbour } from '../neighbour.ts';
import { startNoOpEndpoint, type NoOpEndpoint } from '../no-op-endpoint.ts';
import { percentile } from '../percentile.ts';
import { figures, noted, type Result } from '../report.ts';
import { call } from '../service-calls.ts';
import { Stage } from '../stage.ts';

const QUEUES = 50;
const JOBS_PER_QUEUE = 2000;

/** Every so many jobs one is of the customer. */
const EVERY = 100;
const CUSTOMER = 'ada-5e0c8f77';
const BATCH = 500;
const NEIGHBOURS = 3;
/** Commands that took longer are noted by Redis, in microseconds. */
const NOTED = 500;
const TEXT = 'Dear customer, '.repeat(20);
const DELAY = 7 * 24 * 60 * 60 * 1000;

/** The longest that 99 of 100 requests of another client may take, in milliseconds. */
const LONGEST_WAIT = 250;

/** What the jobs of each queue are: in the order of the queues, again and again. */
const STATES = ['waiting', 'delayed', 'prioritized', 'completed', 'failed'] as const;

/** Ends the jobs that wait longest, as the library writes that. */
const END = `
for index = 4, #ARGV do
  local id = ARGV[index]
  local job = KEYS[3] .. id
  local data = redis.call("HGET", job, "data")
  redis.call("HSET", job, "processedOn", ARGV[1], "finishedOn", ARGV[1], "atm", 1, "ats", 1, ARGV[3], data)
  redis.call("RPUSH", job .. ":logs", data)
  redis.call("ZADD", KEYS[2], ARGV[1], id)
  redis.call("XADD", KEYS[4], "*", "event", ARGV[2], "jobId", id, ARGV[3], data)
end
redis.call("LTRIM", KEYS[1], 0, 2 - #ARGV)
`;

interface Measured {
  readonly jobs: number;
  readonly seconds: number;
  readonly longestCommand: number;
  readonly p99: number;
  readonly left: number;
}

/** One customer is erased among 100,000 jobs of 50 queues, while three ordinary clients go on. */
export async function benchErase(rounds: number): Promise<readonly Result[]> {
  const endpoint = await startNoOpEndpoint();
  const measured: Measured[] = [];
  let isPreferred = true;
  try {
    for (let round = 0; round < rounds; round += 1) {
      const stage = await Stage.start();
      try {
        isPreferred = stage.preferStore();
        measured.push(await measure(stage, endpoint));
      } finally {
        await stage.stop();
      }
    }
  } finally {
    await endpoint.stop();
  }
  const row = (name: string, of: keyof Measured, unit: string, most?: number) => ({
    name,
    unit,
    most,
    values: measured.map((each) => each[of]),
  });
  const waits = isPreferred ? 'goes before other processes' : 'waits for a processor as others do';
  const rows = [
    row('jobs erased', 'jobs', ''),
    row('time', 'seconds', 's'),
    row('longest command in Redis', 'longestCommand', 'ms'),
    row('requests of three other clients, p99', 'p99', 'ms', LONGEST_WAIT),
    row('places of the value in a dump afterwards', 'left', '', 0),
  ];
  return [
    noted(`100,000 jobs of 50 queues, Redis ${waits}`, figures('erasing one customer', rows)),
  ];
}

async function measure(stage: Stage, endpoint: NoOpEndpoint): Promise<Measured> {
  const { redis } = stage;
  const target = local(stage.service);
  for (let index = 0; index < QUEUES; index += 1) await fill(stage, index);
  await stage.startWorker(Neighbour.queue, endpoint.url, 10);
  await redis.config('SET', 'slowlog-log-slower-than', NOTED);
  await redis.config('SET', 'slowlog-max-len', 10_000);
  await redis.slowlog('RESET');
  const neighbours = Array.from({ length: NEIGHBOURS }, () => new Neighbour(target));
  const started = performance.now();
  const jobs = await erase(target);
  const seconds = (performance.now() - started) / 1000;
  const slow = (await redis.slowlog('GET', 10_000)) as [number, number, number][];
  await Promise.all(neighbours.map((each) => each.end()));
  const waits = neighbours.flatMap((each) => each.waits);
  return {
    jobs,
    seconds,
    longestCommand: Math.max(0, ...slow.map(([, , microseconds]) => microseconds)) / 1000,
    p99: percentile(waits, 99),
    left: timesIn(await dumpOf(redis, 'bull')),
  };
}

async function fill(stage: Stage, index: number): Promise<void> {
  const queue = `filled-${index}`;
  const state = STATES[index % STATES.length];
  const opts = {
    ...(state === 'delayed' && { delay: DELAY }),
    ...(state === 'prioritized' && { priority: 5 }),
  };
  const jobs = Array.from({ length: JOBS_PER_QUEUE }, (_, number) => ({
    name: 'mail',
    data: { customer: { id: number % EVERY === 0 ? CUSTOMER : `someone-${number}` }, text: TEXT },
    opts,
  }));
  await stage.addEach(queue, jobs);
  if (state === 'completed' || state === 'failed') await end(stage.redis, queue, state);
}

async function end(redis: Redis, queue: string, state: 'completed' | 'failed'): Promise<void> {
  const prefix = `bull:${queue}:`;
  const keys = [`${prefix}wait`, `${prefix}${state}`, prefix, `${prefix}events`];
  const said = state === 'completed' ? 'returnvalue' : 'failedReason';
  for (let ended = 0; ended < JOBS_PER_QUEUE; ended += BATCH) {
    const ids = await redis.lrange(`${prefix}wait`, -BATCH, -1);
    await redis.eval(END, keys.length, ...keys, Date.now(), state, said, ...ids);
  }
}

/** @returns how many jobs it erased. */
async function erase(target: Target): Promise<number> {
  for (let jobs = 0; ;) {
    const order = { filter: { data: { 'customer.id': CUSTOMER } } };
    const response = await call(target, 'POST', '/erase', order);
    const { done, remaining } = (await response.json()) as { done: number; remaining: number };
    jobs += done;
    if (remaining === 0) return jobs;
  }
}

function timesIn(dump: Buffer): number {
  let times = 0;
  for (let at = dump.indexOf(CUSTOMER); at >= 0; at = dump.indexOf(CUSTOMER, at + 1)) times += 1;
  return times;
}
