import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { RedisServer } from '../../test/support/redis/redis-server.ts';
import { local } from '../load.ts';
import { measure, type Contender } from '../measure.ts';
import { startNoOpEndpoint } from '../no-op-endpoint.ts';
import { noted, result, type Result } from '../report.ts';
import { costOf, ServerProcess } from '../server-process.ts';
import { addJobs, registerWorker, removeWorker } from '../service-calls.ts';

const JOBS = 20_000;
const ADDED_AT_ONCE = 1000;
const QUEUE = 'bench-batches';

/** Working off a backlog with a hundred jobs a call, beside one a call. */
export async function benchBatches(rounds: number): Promise<readonly Result[]> {
  const server = await RedisServer.start();
  const store = costOf(server.pid);
  const redis = new Redis(server.uri);
  const endpoint = await startNoOpEndpoint();
  const service = await ServerProcess.service({ STORE_URI: server.uri });
  const before = async (): Promise<void> => {
    await redis.flushall();
    for (let added = 0; added < JOBS; added += ADDED_AT_ONCE) {
      await addJobs(local(service), QUEUE, ADDED_AT_ONCE);
    }
  };
  const contender = (name: string, worker: object): Contender => ({
    name,
    service,
    store,
    before,
    run: async () => {
      const { url } = endpoint;
      await registerWorker(local(service), { queue: QUEUE, url, concurrency: 4, ...worker });
      while ((await redis.zcard(`bull:${QUEUE}:completed`)) < JOBS) await sleep(5);
      return JOBS;
    },
    after: () => removeWorker(local(service), QUEUE),
  });
  try {
    const measured = await measure(
      [
        contender('one job a call, 100 calls', { concurrency: 100 }),
        contender('100 jobs a call, 4 calls', { batch: { size: 100 } }),
      ],
      rounds,
    );
    const rates = result('Processing in batches', 'jobs/s', measured);
    return [noted(`the endpoint is ${endpoint.name}`, rates)];
  } finally {
    await service.stop();
    await endpoint.stop();
    redis.disconnect();
    await server.stop();
  }
}
