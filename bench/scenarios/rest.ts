import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { RedisServer } from '../../test/support/redis/redis-server.ts';
import { local, sendLoad } from '../load.ts';
import { figures, type Figures, type Result } from '../report.ts';
import { ServerProcess } from '../server-process.ts';

const WORKERS = 1000;
const MANY_WORKERS = 5000;
const QUEUES = 10_000;
/** Twice the time in which the queues of all workers are checked for stalled jobs; milliseconds. */
const IDLE_TIME = 60_000;
/** How long (ms) V8 takes to return what the start does not need any more. */
const RETURN_TIME = 20_000;
const MEGABYTE = 1024 * 1024;

/** What the service costs while it does nothing: at start, and with many workers registered. */
export async function benchRest(rounds: number): Promise<readonly Result[]> {
  const server = await RedisServer.start();
  const redis = new Redis(server.uri);
  try {
    const starts: Start[] = [];
    const some: IdleCost[] = [];
    for (let round = 0; round < rounds; round += 1) {
      await redis.flushall();
      const { service, ...start } = await startService(server.uri);
      starts.push(start);
      some.push(await idleWith(WORKERS, service, redis));
      await service.stop();
    }
    await redis.flushall();
    const { service } = await startService(server.uri);
    const many = [await idleWith(MANY_WORKERS, service, redis)];
    await service.stop();
    await redis.flushall();
    const touched = await touchQueues(server.uri);
    return [
      figures('At rest', [
        {
          name: 'ready after the start',
          values: starts.map(({ ready }) => ready),
          unit: 'ms',
          most: 1000,
        },
        {
          name: 'resident memory',
          values: starts.map(({ memory }) => memory),
          unit: 'MB',
          most: 90,
        },
      ]),
      idleFigures(WORKERS, some, { connections: 24, memory: 130, share: 1 }),
      idleFigures(MANY_WORKERS, many),
      figures(`A job added to each of ${QUEUES} queues`, [
        { name: 'adds', values: [touched.rate], unit: 'per s' },
        { name: 'resident memory after', values: [touched.memory], unit: 'MB' },
      ]),
    ];
  } finally {
    redis.disconnect();
    await server.stop();
  }
}

interface Start {
  /** Milliseconds from the start of the process until it was ready. */
  readonly ready: number;
  /** Megabytes, once V8 has returned what only the start needed. */
  readonly memory: number;
}

async function startService(uri: string): Promise<Start & { readonly service: ServerProcess }> {
  const service = await ServerProcess.service({ STORE_URI: uri });
  const asked = performance.now();
  while (!(await fetch(`http://127.0.0.1:${service.port}/health/ready`)).ok) await sleep(5);
  const ready = service.startTime + performance.now() - asked;
  await sleep(RETURN_TIME);
  return { service, ready, memory: service.memory / MEGABYTE };
}

async function touchQueues(uri: string): Promise<{ rate: number; memory: number }> {
  const service = await ServerProcess.service({ STORE_URI: uri });
  const started = performance.now();
  const load = {
    method: 'POST',
    path: (index: number) => `/queues/touched-${index}/jobs`,
    body: JSON.stringify([{ name: 'mail', data: {} }]),
  };
  await sendLoad(local(service), load, 64, QUEUES);
  const rate = QUEUES / ((performance.now() - started) / 1000);
  const memory = service.memory / MEGABYTE;
  await service.stop();
  return { rate, memory };
}

interface IdleCost {
  readonly connections: number;
  readonly memory: number;
  /** Percent of one processor. */
  readonly share: number;
}

function idleFigures(
  workers: number,
  costs: readonly IdleCost[],
  most: Partial<IdleCost> = {},
): Figures {
  const row = (name: string, quantity: keyof IdleCost, unit: string) => ({
    name,
    values: costs.map((cost) => cost[quantity]),
    unit,
    most: most[quantity],
  });
  return figures(`${workers} workers registered, idle`, [
    row('connections to Redis', 'connections', ''),
    row('resident memory', 'memory', 'MB'),
    row('of one processor', 'share', '%'),
  ]);
}

async function idleWith(workers: number, service: ServerProcess, redis: Redis): Promise<IdleCost> {
  await register(`http://127.0.0.1:${service.port}`, workers);
  await sleep(5000);
  const usedBefore = service.processorTime;
  await sleep(IDLE_TIME);
  const share = ((service.processorTime - usedBefore) / IDLE_TIME) * 100;
  const clients = String(await redis.client('LIST')).trim();
  // One of them is this program's own.
  const connections = clients.split('\n').length - 1;
  return { connections, memory: service.memory / MEGABYTE, share };
}

/** Registers the workers of that many queues. */
async function register(base: string, workers: number): Promise<void> {
  for (let first = 0; first < workers; first += 50) {
    const requests = Array.from({ length: 50 }, (_, index) =>
      fetch(`${base}/workers`, {
        method: 'POST',
        headers: { authorization: 'Bearer bench' },
        body: JSON.stringify({
          queue: `queue-${first + index}`,
          endpoint: { url: 'http://127.0.0.1:9/', method: 'post' },
        }),
      }),
    );
    for (const response of await Promise.all(requests)) {
      if (!response.ok) throw new Error(`A worker was answered with ${response.status}`);
    }
  }
}
