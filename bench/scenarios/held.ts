import { setTimeout as sleep } from 'node:timers/promises';
import { PostgresServer } from '../../test/support/postgres/postgres-server.ts';
import type { BenchOptions } from '../bench-options.ts';
import { withFolder } from '../embedded/folders.ts';
import { Filler } from '../full/filler.ts';
import { local } from '../load.ts';
import { startNoOpEndpoint } from '../no-op-endpoint.ts';
import { figures, type Result } from '../report.ts';
import { ServerProcess } from '../server-process.ts';
import { call, jobCounts, registerWorker } from '../service-calls.ts';

const MEGABYTE = 1024 * 1024;
const QUEUE = 'held';

/** Jobs of a call, and calls at once. */
const [BATCH, CONCURRENCY] = [100, 4];

/** How many ended jobs stay: all of them would take as much memory as those that wait. */
const KEPT = 1000;

/** Milliseconds after which a service that does nothing has given back what it does not need. */
const REST = 15_000;

interface Case {
  readonly name: string;
  readonly jobs: number;
  /** Bytes of the data of a job. */
  readonly size: number;
  /** Megabytes. */
  readonly heap: number;
}

const CASES: readonly Case[] = [
  { name: '2,000,000 jobs of 1 kB', jobs: 2_000_000, size: 1000, heap: 1024 },
  { name: '100,000 jobs of 50 kB', jobs: 100_000, size: 50_000, heap: 512 },
];

type Environment = Readonly<Record<string, string>>;

/** Stores that hold more than the heap, by name, with how many replicas are measured on them. */
const STORES: Readonly<
  Record<
    string,
    readonly [number, (use: (environment: Environment) => Promise<Result>) => Promise<Result>]
  >
> = {
  embedded: [1, (use) => withFolder((folder) => use({ STORE_PATH: folder }))],
  postgres: [
    2,
    async (use) => {
      const server = await PostgresServer.start({ fsync: 'on', synchronous_commit: 'on' });
      return use({ STORE_URI: server.uri }).finally(() => server.stop());
    },
  ],
};

/** More jobs than fit into the heap: added, shown, read at a start, called and ended. */
export async function benchHeld(
  _rounds: number,
  { store, only = '' }: BenchOptions,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (const [name, [replicas, use]] of Object.entries(STORES)) {
    if (store !== undefined && store !== name) continue;
    for (const each of CASES.filter((one) => one.name.includes(only))) {
      console.log(`  ${name}: ${each.name}`);
      results.push(await use((environment) => hold(name, each, environment, replicas)));
    }
  }
  return results;
}

async function hold(
  store: string,
  { name, jobs, size, heap }: Case,
  environment: Environment,
  replicas: number,
): Promise<Result> {
  const start = (): Promise<ServerProcess> =>
    ServerProcess.service({ ...environment, NODE_OPTIONS: `--max-old-space-size=${heap}` });
  const services: ServerProcess[] = [];
  for (let number = 0; number < replicas; number += 1) services.push(await start());
  const [first] = services as [ServerProcess];
  const endpoint = await startNoOpEndpoint();
  try {
    const added = await took(() => new Filler(local(first), QUEUE, size).add(jobs));
    await sleep(REST);
    const memory = services.map((service) => service.memory / MEGABYTE);
    const path = `/queues/${QUEUE}/jobs`;
    const page = await took(() => read(first, `${path}?length=25&start=${jobs / 2}`));
    const one = await took(() => read(first, `${path}/${jobs / 2}`));
    await first.stop();
    const again = await start();
    services[0] = again;
    const ended = await took(async () => {
      const batch = { size: BATCH };
      await registerWorker(local(again), {
        queue: QUEUE,
        url: endpoint.url,
        concurrency: CONCURRENCY,
        batch,
        kept: KEPT,
      });
      for (;;) {
        const { waiting, active, failed } = await jobCounts(local(again), QUEUE);
        if (failed > 0) throw new Error(`${failed} jobs failed`);
        if (waiting + active === 0) return;
        await sleep(500);
      }
    });
    const row = (of: string, value: number, unit: string) => ({ name: of, values: [value], unit });
    return figures(`${name} with a heap of ${heap} MB, store: ${store}`, [
      row('added', (jobs / added) * 1000, 'jobs/s'),
      ...memory.map((value, number) =>
        row(`memory of replica ${number + 1}, at rest`, value, 'MB'),
      ),
      row('a page of 25 in the middle', page, 'ms'),
      row('one job', one, 'ms'),
      row('started again in', again.startTime, 'ms'),
      row('called and ended', (jobs / ended) * 1000, 'jobs/s'),
      row('replicas that ended by themselves', services.filter((each) => each.ended).length, ''),
    ]);
  } finally {
    await Promise.all(services.map((service) => service.stop()));
    await endpoint.stop();
  }
}

async function read(service: ServerProcess, path: string): Promise<void> {
  await (await call(local(service), 'GET', path)).arrayBuffer();
}

/** Milliseconds. */
async function took(act: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await act();
  return performance.now() - started;
}
