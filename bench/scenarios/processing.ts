import { queueNamed } from '../../test/support/queue-named.ts';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { newJob } from '../../src/domain/job.ts';
import { RedisServer } from '../../test/support/redis/redis-server.ts';
import {
  redisReplica,
  TestConnections,
  type RedisReplica,
} from '../../test/support/redis/redis-stores.ts';
import type { BenchOptions } from '../bench-options.ts';
import { storeCost } from '../bench-store.ts';
import { measure, type Contender } from '../measure.ts';
import { before, result, type Result } from '../report.ts';
import { ServerProcess } from '../server-process.ts';

const JOBS = 10_000;
const BATCH = 1000;
const CONCURRENCY = 100;
const QUEUE = queueNamed('bench');

/** Working off a backlog through an endpoint that answers at once, 100 calls in parallel. */
export async function benchProcessing(
  rounds: number,
  { before: checkout }: BenchOptions,
): Promise<readonly Result[]> {
  const server = await RedisServer.start();
  const cost = storeCost(server);
  const redis = new Redis(server.uri);
  const connections = await TestConnections.open(server.uri);
  const store = redisReplica(connections);
  const endpoint = await ServerProcess.start(['--import', 'tsx', 'bench/instant-endpoint.ts'], {});
  const url = `http://127.0.0.1:${endpoint.port}/`;
  const environment = { STORE_URI: server.uri };
  const native = await ServerProcess.start(['--import', 'tsx', 'bench/native-worker.ts'], {
    ...environment,
    ENDPOINT: url,
    CONCURRENCY: String(CONCURRENCY),
    QUEUE,
  });
  const service = await ServerProcess.service(environment);
  const earlier =
    checkout &&
    (await ServerProcess.service(
      { ...environment, WORKER_METADATA_KEY: 'jobgate:before' },
      checkout,
    ));
  const fetching = await ServerProcess.service({
    ...environment,
    WEBHOOK_CLIENT: 'node-fetch',
    WORKER_METADATA_KEY: 'jobgate:node-fetch',
  });
  const backlog = async (start: () => Promise<() => Promise<unknown>>): Promise<number> => {
    await redis.flushall();
    await fill(store);
    const stop = await start();
    while ((await redis.zcard(`bull:${QUEUE}:completed`)) < JOBS) await sleep(5);
    await stop();
    return JOBS;
  };
  const served = (name: string, service: ServerProcess): Contender => ({
    name,
    service,
    store: cost,
    run: () =>
      backlog(async () => {
        await call(service.port, 'POST', '/workers', {
          queue: QUEUE,
          endpoint: { url, method: 'post' },
          opts: { concurrency: CONCURRENCY },
        });
        return () => call(service.port, 'DELETE', `/workers/${QUEUE}`);
      }),
  });
  const inProcess: Contender = {
    name: 'BullMQ Worker and undici',
    service: native,
    store: cost,
    run: () =>
      backlog(async () => {
        const control = connect(native.port, '127.0.0.1');
        await once(control, 'connect');
        return async () => {
          control.destroy();
          await sleep(100);
        };
      }),
  };
  try {
    const measured = await measure(
      [
        inProcess,
        served('jobgate', service),
        ...(earlier ? [served(before('jobgate'), earlier)] : []),
        served('jobgate with node-fetch', fetching),
      ],
      rounds,
    );
    return [result(`Processing, concurrency ${CONCURRENCY}`, 'jobs/s', measured, { jobgate: 0.9 })];
  } finally {
    const processes = [service, fetching, native, endpoint, ...(earlier ? [earlier] : [])];
    await Promise.all(processes.map((each) => each.stop()));
    connections.close();
    redis.disconnect();
    await server.stop();
  }
}

async function fill({ queues }: RedisReplica): Promise<void> {
  const data = { to: 'someone@example.com', template: 'welcome', order: 4711 };
  const batch = Array.from({ length: BATCH }, () => newJob({ name: 'mail', data }, ''));
  for (let added = 0; added < JOBS; added += BATCH) await queues.add(QUEUE, batch);
}

async function call(port: number, method: string, path: string, body?: unknown): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { authorization: 'Bearer bench' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path} was answered with ${response.status}`);
}
