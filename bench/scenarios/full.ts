import { storesNamed, type AttackedStore } from '../hostile/attacked-stores.ts';
import type { BenchOptions } from '../bench-options.ts';
import { Filler, type Filled } from '../full/filler.ts';
import { Neighbours } from '../hostile/neighbours.ts';
import type { Waits } from '../hostile/neighbours-process.ts';
import { local } from '../load.ts';
import { figures, noted, type Result } from '../report.ts';
import { ServerProcess } from '../server-process.ts';
import { call, jobCounts } from '../service-calls.ts';

const MEGABYTE = 1024 * 1024;

/** In megabytes: little, so that a client fills it within minutes. */
const HEAP = 256;

/** How long (ms) jobs of each size are added. */
const TIME = 200_000;

/** Bytes of the data of a job. */
const SIZES: readonly number[] = [20, 1000, 1_000_000];

/** How long (ms) jobs are added once all are drained. */
const AFTERWARDS = 10_000;

const QUEUE = 'full';

/** A client that adds jobs of one size as fast as it can, to a fresh store, beside three ordinary clients. */
export async function benchFull(
  _rounds: number,
  { store, only = '' }: BenchOptions,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (const [name, start] of storesNamed(store)) {
    for (const size of SIZES.filter((each) => named(each).includes(only))) {
      const attacked = await start();
      console.log(`  ${name}: ${named(size)}`);
      try {
        results.push(await fill(name, size, attacked));
      } finally {
        await attacked.end();
      }
    }
  }
  return results;
}

function named(size: number): string {
  return `jobs of ${size} bytes`;
}

async function fill(name: string, size: number, store: AttackedStore): Promise<Result> {
  const start = (): Promise<ServerProcess> =>
    ServerProcess.service({ ...store.environment, NODE_OPTIONS: `--max-old-space-size=${HEAP}` });
  let service = await start();
  try {
    const neighbours = await Neighbours.start(local(service));
    const filled = await new Filler(local(service), QUEUE, size).fill(TIME);
    const waits = await neighbours.end();
    const ended = service.ended;
    const memory = ended ? NaN : service.peakMemory;
    const cost = await store.cost();
    let restart = NaN;
    if (name !== 'memory') {
      await service.stop();
      service = await start();
      restart = service.startTime;
    }
    const { waiting } = await jobCounts(local(service), QUEUE);
    const drain = await timeOf(() => call(local(service), 'POST', `/queues/${QUEUE}/drain`, {}));
    // The memory has room again at its next full collection, which comes within 5 s.
    const again = await new Filler(local(service), QUEUE, 20).fill(AFTERWARDS);
    const found = { filled, waits, ended, memory, size: cost.size, restart, waiting, drain, again };
    return report(`${named(size)}, store: ${name}`, found);
  } finally {
    await service.stop();
  }
}

interface Found {
  readonly filled: Filled;
  readonly waits: Waits;
  readonly ended: boolean;
  /** Bytes. */
  readonly memory: number;
  readonly size: number | undefined;
  /** Milliseconds. */
  readonly restart: number;
  readonly drain: number;
  readonly waiting: number;
  readonly again: Filled;
}

function report(name: string, found: Found): Result {
  const { filled, waits } = found;
  const row = (of: string, value: number, unit = '', most?: number) =>
    Number.isNaN(value) ? [] : [{ name: of, values: [value], unit, most }];
  const rows = [
    ...row('jobs added', filled.jobs),
    ...row('acknowledged jobs that are not there', filled.jobs - found.waiting, '', 0),
    ...row('p99 of three ordinary clients', waits.p99, 'ms', 250),
    ...row('their longest wait', waits.longest, 'ms', 1000),
    ...row('their requests without an answer or with 503', waits.unavailable, '', 0),
    ...row('the service ended', found.ended ? 1 : 0, '', 0),
    ...row('memory of the service at its peak', found.memory / MEGABYTE, 'MB'),
    ...row('size of the store', (found.size ?? NaN) / MEGABYTE, 'MB'),
    ...row('started again in', found.restart, 'ms'),
    ...row('drained in', found.drain, 'ms'),
    ...row('jobs added in 10 s then', found.again.jobs),
  ];
  const told = [...filled.refusals].map(([text, count]) => `${count} times ${text}`).join('; ');
  return noted(told, figures(`A heap of ${HEAP} MB, ${name}`, rows));
}

async function timeOf(act: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await act();
  return performance.now() - started;
}
