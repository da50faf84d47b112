import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { RedisServer } from '../../test/support/redis/redis-server.ts';
import { local, sendLoad } from '../load.ts';
import { figures, type Result } from '../report.ts';
import { ServerProcess } from '../server-process.ts';

const WORKERS = 1000;
const MANY_WORKERS = 5000;
const QUEUES = 10_000;
/** Twice the time in which every idle worker asks for jobs, and for stalled ones; milliseconds. */
const IDLE_TIME = 60_000;
const MEGABYTE = 1024 * 1024;

/** What the service costs while it does nothing: at start, and with many workers registered. */
export async function benchRest(): Promise<readonly Result[]> {
  const server = await RedisServer.start();
  const redis = new Redis(server.uri);
  try {
    const service = await ServerProcess.service({ STORE_URI: server.uri });
    const base = `http://127.0.0.1:${service.port}`;
    const asked = performance.now();
    while (!(await fetch(`${base}/health/ready`)).ok) await sleep(5);
    const ready = service.startTime + performance.now() - asked;
    await sleep(2000);
    const atRest = service.memory / MEGABYTE;
    await register(base, 0, WORKERS);
    const some = await idle(service, redis);
    await register(base, WORKERS, MANY_WORKERS);
    const many = await idle(service, redis);
    await service.stop();
    await redis.flushall();
    const touched = await touchQueues(server.uri);
    return [
      figures('At rest', [
        { name: 'ready after the start', value: ready, unit: 'ms', most: 1000 },
        { name: 'resident memory', value: atRest, unit: 'MB', most: 90 },
      ]),
      figures(`${WORKERS} workers registered, idle`, [
        { name: 'connections to Redis', value: some.connections, unit: '', most: 24 },
        { name: 'resident memory', value: some.memory, unit: 'MB', most: 130 },
        { name: 'of one processor', value: some.share, unit: '%', most: 1 },
      ]),
      figures(`${MANY_WORKERS} workers registered, idle`, [
        { name: 'connections to Redis', value: many.connections, unit: '' },
        { name: 'resident memory', value: many.memory, unit: 'MB' },
        { name: 'of one processor', value: many.share, unit: '%' },
      ]),
      figures(`A job added to each of ${QUEUES} queues`, [
        { name: 'adds', value: touched.rate, unit: 'per s' },
        { name: 'resident memory after', value: touched.memory, unit: 'MB' },
      ]),
    ];
  } finally {
    redis.disconnect();
    await server.stop();
  }
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

async function idle(service: ServerProcess, redis: Redis): Promise<IdleCost> {
  await sleep(5000);
  const usedBefore = service.processorTime;
  await sleep(IDLE_TIME);
  const share = ((service.processorTime - usedBefore) / IDLE_TIME) * 100;
  const clients = String(await redis.client('LIST')).trim();
  // One of them is this program's own.
  const connections = clients.split('\n').length - 1;
  return { connections, memory: service.memory / MEGABYTE, share };
}

/** Registers the workers of that many queues, from the one number up to the other. */
async function register(base: string, from: number, to: number): Promise<void> {
  for (let first = from; first < to; first += 50) {
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
