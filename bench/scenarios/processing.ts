import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { RedisServer } from '../../test/support/redis/redis-server.ts';
import type { BenchOptions, OtherService } from '../bench-options.ts';
import { local } from '../load.ts';
import { measure, ratios, type Contender, type Measured } from '../measure.ts';
import { startNoOpEndpoint } from '../no-op-endpoint.ts';
import { before, figures, noted, result, type Figures, type Result } from '../report.ts';
import { costOf, ServerProcess } from '../server-process.ts';
import { addJobs, jobCounts, registerWorker, removeWorker } from '../service-calls.ts';

const JOBS = 10_000;
const BATCH = 1000;
const CONCURRENCY = 100;
const QUEUE = 'bench';

const NATIVE = 'BullMQ Worker and undici';
const LOOP = 'bare undici loop, no queue';

/** Working off a backlog through an endpoint that answers at once, 100 calls in parallel. */
export async function benchProcessing(
  rounds: number,
  { before: checkout, other }: BenchOptions,
): Promise<readonly Result[]> {
  const server = await RedisServer.start();
  const cost = costOf(server.pid);
  const redis = new Redis(server.uri);
  const endpoint = await startNoOpEndpoint();
  const { url } = endpoint;
  const environment = { STORE_URI: server.uri };
  const calling = { ENDPOINT: url, CONCURRENCY: String(CONCURRENCY) };
  const program = (file: string, own: Readonly<Record<string, string>>) =>
    ServerProcess.start(['--import', 'tsx', file], { ...calling, ...own });
  const native = await program('bench/native-worker.ts', { ...environment, QUEUE });
  const loop = await program('bench/undici-loop.ts', { CALLS: String(JOBS) });
  const service = await ServerProcess.service(environment);
  const earlier = await ServerProcess.before(environment, checkout);
  const fetching = await ServerProcess.service({
    ...environment,
    WEBHOOK_CLIENT: 'node-fetch',
    WORKER_METADATA_KEY: 'jobgate:node-fetch',
  });
  const backlog = async (): Promise<void> => {
    await redis.flushall();
    for (let added = 0; added < JOBS; added += BATCH) {
      await addJobs(local(service), QUEUE, BATCH);
    }
  };
  const workedOff = async (): Promise<number> => {
    while ((await redis.zcard(`bull:${QUEUE}:completed`)) < JOBS) await sleep(5);
    return JOBS;
  };
  const served = (name: string, process: ServerProcess): Contender => ({
    name,
    service: process,
    store: cost,
    before: backlog,
    run: async () => {
      await registerWorker(local(process), { queue: QUEUE, url, concurrency: CONCURRENCY });
      return workedOff();
    },
    after: () => removeWorker(local(process), QUEUE),
  });
  try {
    const measured = await measure(
      [
        nativeWorker(native, { store: cost, before: backlog, workedOff }),
        bareLoop(loop),
        served('jobgate', service),
        ...(earlier ? [served(before('jobgate'), earlier)] : []),
        served('jobgate with node-fetch', fetching),
        ...(other !== undefined ? [otherService(other, url)] : []),
      ],
      rounds,
    );
    const scenario = `Processing, concurrency ${CONCURRENCY}`;
    const rates = result(scenario, 'jobs/s', measured, { jobgate: 2 });
    return [noted(`the endpoint is ${endpoint.name}`, rates), compared(measured)];
  } finally {
    const processes = [service, fetching, native, loop, ...(earlier ? [earlier] : [])];
    await Promise.all(processes.map((each) => each.stop()));
    await endpoint.stop();
    redis.disconnect();
    await server.stop();
  }
}

function nativeWorker(
  program: ServerProcess,
  {
    workedOff,
    ...around
  }: Pick<Contender, 'store' | 'before'> & { workedOff: () => Promise<number> },
): Contender {
  let control: Socket | undefined;
  return {
    ...around,
    name: NATIVE,
    service: program,
    run: async () => {
      control = connect(program.port, '127.0.0.1');
      await once(control, 'connect');
      return workedOff();
    },
    after: async () => {
      control?.destroy();
      await sleep(100);
    },
  };
}

function bareLoop(program: ServerProcess): Contender {
  return {
    name: LOOP,
    service: program,
    run: async () => {
      await once(connect(program.port, '127.0.0.1').resume(), 'end');
      return JOBS;
    },
  };
}

/** Its store is not ours to empty: the queue keeps what it has completed in earlier rounds. */
function otherService({ target, ...costs }: OtherService, url: string): Contender {
  const queue = 'bench-processing';
  let completed = 0;
  let failed = 0;
  return {
    ...costs,
    name: 'other service',
    before: async () => {
      for (let added = 0; added < JOBS; added += BATCH) await addJobs(target, queue, BATCH);
      ({ completed, failed } = await jobCounts(target, queue));
    },
    run: async () => {
      await registerWorker(target, { queue, url, concurrency: CONCURRENCY });
      for (;;) {
        const counts = await jobCounts(target, queue);
        if (counts.completed >= completed + JOBS) return JOBS;
        if (counts.failed > failed) throw new Error('The other service has failed jobs');
        await sleep(10);
      }
    },
    after: () => removeWorker(target, queue),
  };
}

/** What the rate alone does not say, against the library and against no queue at all. */
function compared(measured: readonly Measured[]): Figures {
  const named = (wanted: string) => measured.find(({ name }) => name === wanted);
  const here = named('jobgate') ?? { name: '', rounds: [] };
  return figures('Processing, jobgate against others', [
    {
      name: 'rate, against the bare undici loop',
      unit: 'times',
      values: ratios(here, named(LOOP)),
      least: 0.4,
    },
    {
      name: "Redis's time, against BullMQ",
      unit: 'times',
      values: ratios(here, named(NATIVE), 'store'),
      most: 0.5,
    },
  ]);
}
