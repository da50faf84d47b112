import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { RedisServer } from '../../test/support/redis/redis-server.ts';
import { local, sendLoad } from '../load.ts';
import { figures, type Result } from '../report.ts';
import { ServerProcess } from '../server-process.ts';

const WORKERS = 1000;
const QUEUES = 10_000;
const IDLE_TIME = 20_000;
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
    await register(base, WORKERS);
    await sleep(5000);
    const usedBefore = service.processorTime;
    await sleep(IDLE_TIME);
    const idleShare = ((service.processorTime - usedBefore) / IDLE_TIME) * 100;
    const connections =
      String(await redis.client('LIST'))
        .trim()
        .split('\n').length - 1;
    const memory = service.memory / MEGABYTE;
    await service.stop();
    const touched = await touchQueues(server.uri);
    return [
      figures('At rest', [
        { name: 'ready after the start', value: ready, unit: 'ms', most: 1000 },
        { name: 'resident memory', value: atRest, unit: 'MB', most: 90 },
      ]),
      figures(`${WORKERS} workers registered, idle`, [
        { name: 'connections to Redis', value: connections, unit: '', most: 24 },
        { name: 'resident memory', value: memory, unit: 'MB', most: 130 },
        { name: 'of one processor', value: idleShare, unit: '%', most: 1 },
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

async function register(base: string, count: number): Promise<void> {
  for (let first = 0; first < count; first += 50) {
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
