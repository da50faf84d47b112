import { Redis } from 'ioredis';
import { RedisServer } from '../../test/support/redis/redis-server.ts';
import type { BenchOptions } from '../bench-options.ts';
import { BenchStore, storeCost } from '../bench-store.ts';
import { local, sendLoad, type Load, type Target } from '../load.ts';
import { measure, type Contender } from '../measure.ts';
import { before, result, type Result } from '../report.ts';
import { ServerProcess } from '../server-process.ts';

const CONNECTIONS = 64;
const REQUESTS = 20_000;
const BATCH_REQUESTS = 300;
const READS = 10_000;
const PATH = '/queues/bench/jobs';

/** What single adds shall reach of the bare server: Express costs more on older versions. */
const SINGLE_ADDS = Number(process.versions.node.split('.')[0]) >= 24 ? 0.75 : 0.6;

const input = {
  name: 'mail',
  data: { to: 'someone@example.com', template: 'welcome', order: 4711 },
};

function adding(size: number): Load {
  const body = JSON.stringify(Array.from({ length: size }, () => input));
  return { method: 'POST', path: PATH, body };
}

/** Adding and reading jobs over HTTP. */
export async function benchHttp(
  rounds: number,
  { other, before: checkout }: BenchOptions,
): Promise<readonly Result[]> {
  const server = await RedisServer.start();
  const store = storeCost(server);
  const redis = new Redis(server.uri);
  const environment = { STORE_URI: server.uri };
  const bare = await ServerProcess.start(['--import', 'tsx', 'bench/bare-server.ts'], environment);
  const service = await ServerProcess.service(environment);
  const earlier = checkout && (await ServerProcess.service(environment, checkout));
  const native = await BenchStore.on(server.uri);

  const add = (
    name: string,
    target: Target,
    size: number,
    requests: number,
    process?: ServerProcess,
  ): Contender => {
    const load = adding(size);
    return {
      name,
      ...(process !== undefined && { service: process, store }),
      run: async () => {
        await redis.flushall();
        await sendLoad(target, load, CONNECTIONS, requests);
        return requests * size;
      },
    };
  };
  const addInProcess: Contender = {
    name: 'BullMQ addBulk(100), in process',
    run: async () => {
      await redis.flushall();
      const jobs = Array.from({ length: 100 }, () => input);
      for (let done = 0; done < BATCH_REQUESTS; done += 1) await native.native.addBulk(jobs);
      return BATCH_REQUESTS * 100;
    },
  };
  const read = (
    name: string,
    target: Target,
    path: string,
    process?: ServerProcess,
  ): Contender => ({
    name,
    ...(process !== undefined && { service: process, store }),
    run: () => sendLoad(target, { method: 'GET', path }, CONNECTIONS, READS),
  });

  try {
    const here = local(service);
    const singles = [
      add('bare node:http', local(bare), 1, REQUESTS, bare),
      add('jobgate', here, 1, REQUESTS, service),
    ];
    const batches = [
      addInProcess,
      add('jobgate, batches of 100', here, 100, BATCH_REQUESTS, service),
      add('jobgate, batches of 1000', here, 1000, BATCH_REQUESTS / 10, service),
    ];
    const reads = [
      read('GET one job', here, `${PATH}/1`, service),
      read('GET a page of 10', here, PATH, service),
    ];
    if (earlier) {
      const there = local(earlier);
      singles.push(add(before('jobgate'), there, 1, REQUESTS, earlier));
      batches.push(
        add(before('jobgate, batches of 100'), there, 100, BATCH_REQUESTS, earlier),
        add(before('jobgate, batches of 1000'), there, 1000, BATCH_REQUESTS / 10, earlier),
      );
      reads.push(
        read(before('GET one job'), there, `${PATH}/1`, earlier),
        read(before('GET a page of 10'), there, PATH, earlier),
      );
    }
    if (other !== undefined) {
      // Its queue grows with every round: its store is not ours to empty.
      singles.push(add('other service', other, 1, REQUESTS));
      batches.push(add('other service, batches of 100', other, 100, BATCH_REQUESTS));
      reads.push(read('other service, a page of 10', other, PATH));
    }
    const measuredSingles = await measure(singles, rounds);
    const measuredBatches = await measure(batches, rounds);
    await redis.flushall();
    await sendLoad(here, adding(1000), 1, 1);
    const measuredReads = await measure(reads, rounds);
    return [
      result(`Single adds over HTTP, ${CONNECTIONS} connections`, 'jobs/s', measuredSingles, {
        jobgate: SINGLE_ADDS,
      }),
      result(`Batches over HTTP, ${CONNECTIONS} connections`, 'jobs/s', measuredBatches, {
        'jobgate, batches of 100': 2,
      }),
      result('Reads over HTTP', 'reads/s', measuredReads),
    ];
  } finally {
    await native.stop();
    await Promise.all([bare.stop(), service.stop(), ...(earlier ? [earlier.stop()] : [])]);
    redis.disconnect();
    await server.stop();
  }
}
