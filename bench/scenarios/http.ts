import { Redis } from 'ioredis';
import { RedisServer } from '../../test/support/redis/redis-server.ts';
import type { BenchOptions } from '../bench-options.ts';
import { BenchStore } from '../bench-store.ts';
import { local, sendLoad, type Load, type Target } from '../load.ts';
import { measure, type Contender } from '../measure.ts';
import { before, result, type Result } from '../report.ts';
import { costOf, ServerProcess } from '../server-process.ts';
import { jobInput } from '../service-calls.ts';

const CONNECTIONS = 64;
const REQUESTS = 20_000;
const BATCH_REQUESTS = 300;
const PATH = '/queues/bench/jobs';

/** What single adds shall reach of the bare server: Express costs more on older versions. */
const SINGLE_ADDS = Number(process.versions.node.split('.')[0]) >= 24 ? 0.75 : 0.6;

function adding(size: number): Load {
  const body = JSON.stringify(Array.from({ length: size }, () => jobInput));
  return { method: 'POST', path: PATH, body };
}

/** Adding jobs over HTTP. */
export async function benchHttp(
  rounds: number,
  { other, before: checkout }: BenchOptions,
): Promise<readonly Result[]> {
  const server = await RedisServer.start();
  const store = costOf(server.pid);
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
    costs: Pick<Contender, 'service' | 'store'>,
  ): Contender => {
    const load = adding(size);
    return {
      ...costs,
      name,
      before: () => redis.flushall(),
      run: async () => {
        await sendLoad(target, load, CONNECTIONS, requests);
        return requests * size;
      },
    };
  };
  const addInProcess: Contender = {
    name: 'BullMQ addBulk(100), in process',
    before: () => redis.flushall(),
    run: async () => {
      const jobs = Array.from({ length: 100 }, () => jobInput);
      for (let done = 0; done < BATCH_REQUESTS; done += 1) await native.native.addBulk(jobs);
      return BATCH_REQUESTS * 100;
    },
  };

  try {
    const here = local(service);
    const costs = { service, store };
    const singles = [
      add('bare node:http', local(bare), 1, REQUESTS, { service: bare, store }),
      add('jobgate', here, 1, REQUESTS, costs),
    ];
    const batches = [
      addInProcess,
      add('jobgate, batches of 100', here, 100, BATCH_REQUESTS, costs),
      add('jobgate, batches of 1000', here, 1000, BATCH_REQUESTS / 10, costs),
    ];
    if (earlier) {
      const there = local(earlier);
      const earlierCosts = { service: earlier, store };
      singles.push(add(before('jobgate'), there, 1, REQUESTS, earlierCosts));
      batches.push(
        add(before('jobgate, batches of 100'), there, 100, BATCH_REQUESTS, earlierCosts),
        add(before('jobgate, batches of 1000'), there, 1000, BATCH_REQUESTS / 10, earlierCosts),
      );
    }
    if (other !== undefined) {
      // Its queue grows with every round: its store is not ours to empty.
      singles.push(add('other service', other.target, 1, REQUESTS, other));
      batches.push(add('other service, batches of 100', other.target, 100, BATCH_REQUESTS, other));
    }
    const measuredSingles = await measure(singles, rounds);
    const measuredBatches = await measure(batches, rounds);
    return [
      result(`Single adds over HTTP, ${CONNECTIONS} connections`, 'jobs/s', measuredSingles, {
        jobgate: SINGLE_ADDS,
      }),
      result(`Batches over HTTP, ${CONNECTIONS} connections`, 'jobs/s', measuredBatches, {
        'jobgate, batches of 100': 2,
      }),
    ];
  } finally {
    await native.stop();
    await Promise.all([bare.stop(), service.stop(), ...(earlier ? [earlier.stop()] : [])]);
    redis.disconnect();
    await server.stop();
  }
}
