import { setTimeout as sleep } from 'node:timers/promises';
import { RedisServer } from '../../test/support/redis/redis-server.ts';
import type { BenchOptions } from '../bench-options.ts';
import { Lanes } from '../lanes.ts';
import { local, requestBytes } from '../load.ts';
import { monotonicTime } from '../monotonic-time.ts';
import { before, figures, noted, type Result } from '../report.ts';
import { ServerProcess } from '../server-process.ts';
import { registerWorker } from '../service-calls.ts';

/** Jobs a second. */
export const RATE = 200;
const SECONDS = 5;
/** Connections over which jobs are added. */
const CONNECTIONS = 32;
/** Shares of the jobs, and how often the library's time may be taken at most. */
const PERCENTILES = [
  { name: 'p50', share: 0.5, most: 1.5 },
  { name: 'p99', share: 0.99, most: 2 },
];

const NATIVE = 'BullMQ in process';
const HERE = 'jobgate';

/** Where jobs are added, and called. */
interface TimedQueue {
  readonly port: number;
  readonly queue: string;
}

interface Contender extends TimedQueue {
  readonly name: string;
}

/** From the request that adds a job to the call of the endpoint, at a steady rate. Milliseconds. */
export async function benchLatency(
  rounds: number,
  { before: checkout }: BenchOptions,
): Promise<readonly Result[]> {
  const server = await RedisServer.start();
  // nginx does not report when a call arrived to a fraction of a millisecond.
  const endpoint = await ServerProcess.start(['--import', 'tsx', 'bench/arrival-endpoint.ts'], {});
  const url = `http://127.0.0.1:${endpoint.port}/`;
  const environment = { STORE_URI: server.uri };
  const native = await ServerProcess.start(['--import', 'tsx', 'bench/native-service.ts'], {
    ...environment,
    ENDPOINT: url,
  });
  const service = await ServerProcess.service(environment);
  await registerWorker(local(service), { queue: 'here', url, concurrency: 100 });
  const contenders: Contender[] = [
    { name: NATIVE, port: native.port, queue: 'native' },
    { name: HERE, port: service.port, queue: 'here' },
  ];
  const earlier = await ServerProcess.before(environment, checkout);
  if (earlier) {
    await registerWorker(local(earlier), { queue: 'before', url, concurrency: 100 });
    contenders.push({ name: before(HERE), port: earlier.port, queue: 'before' });
  }
  const servers = [native, service, ...(earlier ? [earlier] : []), endpoint];
  try {
    const measured = contenders.map(({ name }) => ({ name, rounds: [] as (readonly number[])[] }));
    for (let round = 0; round <= rounds; round += 1) {
      for (const [index, contender] of contenders.entries()) {
        const ages = await waitsOf(contender, url);
        if (round > 0) measured[index]?.rounds.push(ages);
      }
    }
    const at = (name: string, share: number): readonly number[] =>
      (measured.find((each) => each.name === name)?.rounds ?? []).map(
        (ages) => ages[Math.floor(ages.length * share)] ?? Number.NaN,
      );
    const against = (name: string, share: number): readonly number[] => {
      const other = at(name, share);
      return at(HERE, share).map((own, round) => own / (other[round] ?? Number.NaN));
    };
    return [
      noted(
        'the endpoint is node:http in a process of its own',
        figures(`From add to call at ${RATE} jobs/s`, [
          ...contenders.flatMap(({ name }) =>
            PERCENTILES.map(({ name: percentile, share }) => ({
              name: `${name}, ${percentile}`,
              values: at(name, share),
              unit: 'ms',
            })),
          ),
          ...PERCENTILES.map(({ name, share, most }) => ({
            name: `${name} against BullMQ`,
            values: against(NATIVE, share),
            unit: 'times',
            most,
          })),
          ...(earlier ? PERCENTILES : []).map(({ name, share }) => ({
            name: `${name} against before`,
            values: against(before(HERE), share),
            unit: 'times',
          })),
        ]),
      ),
    ];
  } finally {
    await Promise.all(servers.map((each) => each.stop()));
    await server.stop();
  }
}

/**
 * The jobs are added over raw sockets: with `fetch`, each of the slowest hundred calls fell into a garbage collection of
 * this process, whose threads took both cores from what it measures.
 *
 * @returns how long each job waited from its add to its call, in milliseconds, the shortest first.
 */
export async function waitsOf(
  { port, queue }: TimedQueue,
  endpoint: string,
): Promise<readonly number[]> {
  const target = local({ port });
  const lanes = await Lanes.open(target, CONNECTIONS);
  const answers: Promise<void>[] = [];
  const started = performance.now();
  for (let sent = 0; sent < RATE * SECONDS; sent += 1) {
    const body = JSON.stringify([{ name: 'mail', data: { sent: monotonicTime() } }]);
    answers.push(
      lanes.send(requestBytes(target, { method: 'POST', body }, `/queues/${queue}/jobs`)),
    );
    await sleep(Math.max(0, started + ((sent + 1) * 1000) / RATE - performance.now()));
  }
  await Promise.all(answers);
  lanes.close();
  const ages: number[] = [];
  while (ages.length < RATE * SECONDS) {
    ages.push(...((await (await fetch(endpoint)).json()) as number[]));
    await sleep(5);
  }
  return ages.toSorted((a, b) => a - b);
}
