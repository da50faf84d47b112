import { Redis } from 'ioredis';
import { RedisServer } from '../../test/support/redis/redis-server.ts';
import { BenchStore } from '../bench-store.ts';
import { sendLoad, type Load } from '../load.ts';
import { measure, type Contender } from '../measure.ts';
import { result, type Result } from '../report.ts';
import { ServerProcess } from '../server-process.ts';

const CONNECTIONS = 64;
const REQUESTS = 20_000;
const BATCH_REQUESTS = 300;

const input = {
  name: 'mail',
  data: { to: 'someone@example.com', template: 'welcome', order: 4711 },
};

function batch(size: number): string {
  return JSON.stringify(Array.from({ length: size }, () => input));
}

/** Adding and reading jobs over HTTP. */
export async function benchHttp(rounds: number): Promise<readonly Result[]> {
  const server = await RedisServer.start();
  const redis = new Redis(server.uri);
  const environment = { STORE_URI: server.uri };
  const bare = await ServerProcess.start(['--import', 'tsx', 'bench/bare-server.ts'], environment);
  const service = await ServerProcess.service(environment);
  const native = await BenchStore.on(server.uri);
  const path = '/queues/bench/jobs';
  const over = (
    name: string,
    port: number,
    load: Load,
    requests: number,
    units = 1,
  ): Contender => ({
    name,
    run: async () => {
      await redis.flushall();
      await sendLoad(port, load, CONNECTIONS, requests);
      return requests * units;
    },
  });
  try {
    const single: Load = { method: 'POST', path, body: batch(1) };
    const singles = await measure(
      [
        over('bare node:http', bare.port, single, REQUESTS),
        over('jobgate', service.port, single, REQUESTS),
      ],
      rounds,
    );
    const inProcess: Contender = {
      name: 'BullMQ addBulk(100), in process',
      run: async () => {
        await redis.flushall();
        const jobs = Array.from({ length: 100 }, () => input);
        for (let done = 0; done < BATCH_REQUESTS; done += 1) await native.native.addBulk(jobs);
        return BATCH_REQUESTS * 100;
      },
    };
    const batches = await measure(
      [
        inProcess,
        over(
          'jobgate, batches of 100',
          service.port,
          { method: 'POST', path, body: batch(100) },
          BATCH_REQUESTS,
          100,
        ),
        over(
          'jobgate, batches of 1000',
          service.port,
          { method: 'POST', path, body: batch(1000) },
          BATCH_REQUESTS / 10,
          1000,
        ),
      ],
      rounds,
    );
    await redis.flushall();
    await sendLoad(service.port, { method: 'POST', path, body: batch(1000) }, 1, 1);
    const reads = await measure(
      [
        reading('GET one job', service.port, `${path}/1`),
        reading('GET a page of 10', service.port, path),
      ],
      rounds,
    );
    return [
      result(`Single adds over HTTP, ${CONNECTIONS} connections`, 'jobs/s', singles, {
        jobgate: 0.6,
      }),
      result(`Batches over HTTP, ${CONNECTIONS} connections`, 'jobs/s', batches, {
        'jobgate, batches of 100': 2,
      }),
      result('Reads over HTTP', 'reads/s', reads),
    ];
  } finally {
    await native.stop();
    await Promise.all([bare.stop(), service.stop()]);
    redis.disconnect();
    await server.stop();
  }
}

function reading(name: string, port: number, path: string): Contender {
  return { name, run: () => sendLoad(port, { method: 'GET', path }, CONNECTIONS, REQUESTS / 4) };
}
