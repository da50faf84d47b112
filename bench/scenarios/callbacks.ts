import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { CALLBACK_QUEUE, queueOfHook } from '../../src/domain/queues/own-queue.ts';
import { RedisServer } from '../../test/support/redis/redis-server.ts';
import { local } from '../load.ts';
import { measure, type Contender, type Measured } from '../measure.ts';
import { startNoOpEndpoint } from '../no-op-endpoint.ts';
import { figures, noted, result, type Figures, type Result } from '../report.ts';
import { costOf, ServerProcess } from '../server-process.ts';
import { hangingReceiver } from './hanging-receiver.ts';
import { call, jobInput, registerWorker, removeWorker } from '../service-calls.ts';

const JOBS = 10_000;
const BATCH = 1000;
const CONCURRENCY = 100;
const QUEUE = 'bench';
const HOOK = 'bench';

const PLAIN = 'no callback';
const TO_URL = 'a callback to a URL';
const TO_QUEUE = 'a callback to a queue';
const HOOKED = 'a hook for completed jobs';
const HANGING = 'a hook whose receiver hangs';

/** What a job costs that has something follow its end, and what a receiver that hangs takes from the queue. */
export async function benchCallbacks(rounds: number): Promise<readonly Result[]> {
  const server = await RedisServer.start();
  const cost = costOf(server.pid);
  const redis = new Redis(server.uri);
  const endpoint = await startNoOpEndpoint();
  const { url } = endpoint;
  // Takes requests, and never answers.
  const silent = createServer(() => undefined).listen(0, '127.0.0.1');
  await new Promise((resolve) => silent.once('listening', resolve));
  const silentUrl = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`;
  const service = await ServerProcess.service({ STORE_URI: server.uri });
  const target = local(service);
  const until = async (queue: string): Promise<void> => {
    while ((await redis.zcard(`bull:${queue}:completed`)) < JOBS) await sleep(5);
  };
  const contender = (name: string, opts: object, ends: string, hookUrl?: string): Contender => ({
    name,
    service,
    store: cost,
    before: async () => {
      await redis.flushall();
      await call(target, 'PUT', `/queues/${QUEUE}/policy`, {
        callbacks: { origins: [new URL(url).origin] },
      });
      if (hookUrl !== undefined) {
        const hook = { url: hookUrl, events: ['job.completed'], queues: [QUEUE] };
        await call(target, 'PUT', `/hooks/${HOOK}`, hook);
      }
      for (let added = 0; added < JOBS; added += BATCH) {
        const jobs = Array.from({ length: BATCH }, () => ({ ...jobInput, opts }));
        await call(target, 'POST', `/queues/${QUEUE}/jobs`, jobs);
      }
    },
    run: async () => {
      await registerWorker(target, { queue: QUEUE, url, concurrency: CONCURRENCY });
      await until(QUEUE);
      await until(ends);
      return JOBS;
    },
    after: async () => {
      await removeWorker(target, QUEUE);
      if (hookUrl !== undefined) await call(target, 'DELETE', `/hooks/${HOOK}`);
    },
  });
  try {
    const measured = await measure(
      [
        contender(PLAIN, {}, QUEUE),
        contender(TO_URL, { callback: { url } }, CALLBACK_QUEUE),
        contender(TO_QUEUE, { callback: { queue: 'results' } }, QUEUE),
        contender(HOOKED, {}, queueOfHook(HOOK), url),
        contender(HANGING, {}, QUEUE, silentUrl),
      ],
      rounds,
    );
    const rates = result('Processing, until all is sent', 'jobs/s', measured, {});
    return [
      noted(`the endpoint is ${endpoint.name}`, rates),
      costs(measured),
      await hangingReceiver(rounds),
    ];
  } finally {
    await service.stop();
    await endpoint.stop();
    silent.closeAllConnections();
    silent.close();
    redis.disconnect();
    await server.stop();
  }
}

/** The processor time of service and store together for a job, against that of one that nothing follows. */
function costs(measured: readonly Measured[]): Figures {
  const total = (name: string): readonly number[] =>
    (measured.find((each) => each.name === name)?.rounds ?? []).map(
      ({ service = 0, store = 0 }) => service + store,
    );
  const plain = total(PLAIN);
  const against = (name: string): readonly number[] =>
    total(name).map((own, round) => own / (plain[round] ?? Number.NaN));
  return figures('Processor time of service and store, against a job that nothing follows', [
    { name: TO_URL, unit: 'times', values: against(TO_URL), most: 1.5 },
    { name: TO_QUEUE, unit: 'times', values: against(TO_QUEUE), most: 1.5 },
    { name: HOOKED, unit: 'times', values: against(HOOKED) },
    { name: HANGING, unit: 'times', values: against(HANGING) },
  ]);
}
