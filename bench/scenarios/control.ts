import type { Redis } from 'ioredis';
import { LARGE_QUEUES } from '../control/large-queue.ts';
import { OPERATIONS, type Operation } from '../control/operations.ts';
import { Stage } from '../stage.ts';
import { Neighbour } from '../neighbour.ts';
import { percentile } from '../percentile.ts';
import { local } from '../load.ts';
import { startNoOpEndpoint, type NoOpEndpoint } from '../no-op-endpoint.ts';
import { figures, noted, type Result } from '../report.ts';

/** The longest that a command may hold the store, in milliseconds. */
const LONGEST_COMMAND = 10;

/** The longest that 99 of 100 requests of another client may take, in milliseconds. */
const LONGEST_WAIT = 50;

/** Commands that took longer are noted by Redis, in microseconds. */
const NOTED = 500;

interface Measured {
  readonly jobs: number;
  readonly seconds: number;
  readonly longestCommand: number;
  readonly p99: number;
}

/** What an operator does to a queue of a million jobs, while another queue is added to and worked off. */
export async function benchControl(rounds: number): Promise<readonly Result[]> {
  const endpoint = await startNoOpEndpoint();
  const measured = new Map<string, Measured[]>();
  let isPreferred = true;
  try {
    for (let round = 0; round < rounds; round += 1) {
      for (const [state, operations] of Object.entries(OPERATIONS)) {
        const large = state as keyof typeof LARGE_QUEUES;
        isPreferred = await measureAll(large, operations, endpoint, measured);
      }
    }
  } finally {
    await endpoint.stop();
  }
  return [...measured].map(([name, values]) => {
    const row = (title: string, of: keyof Measured, unit: string, most?: number) => ({
      name: title,
      unit,
      most,
      values: values.map((each) => each[of]),
    });
    const rows = [
      row('jobs', 'jobs', ''),
      row('time', 'seconds', 's'),
      row('longest command in Redis', 'longestCommand', 'ms', LONGEST_COMMAND),
      row('requests of another client, p99', 'p99', 'ms', LONGEST_WAIT),
    ];
    const waits = isPreferred
      ? 'goes before other processes'
      : 'waits for a processor as others do';
    return noted(`a queue of 1,000,000 jobs, Redis ${waits}`, figures(name, rows));
  });
}

/** @returns whether Redis went before all other processes. */
async function measureAll(
  state: keyof typeof LARGE_QUEUES,
  operations: readonly Operation[],
  endpoint: NoOpEndpoint,
  measured: Map<string, Measured[]>,
): Promise<boolean> {
  const stage = await Stage.start();
  try {
    const isPreferred = stage.preferStore();
    await LARGE_QUEUES[state](stage);
    await stage.startWorker(Neighbour.queue, endpoint.url, 10);
    for (const operation of operations) {
      const values = measured.get(operation.name) ?? [];
      measured.set(operation.name, [...values, await measureOne(stage, operation)]);
    }
    return isPreferred;
  } finally {
    await stage.stop();
  }
}

async function measureOne({ service, redis }: Stage, { run }: Operation): Promise<Measured> {
  await redis.config('SET', 'slowlog-log-slower-than', NOTED);
  await redis.config('SET', 'slowlog-max-len', 10_000);
  await redis.slowlog('RESET');
  const neighbour = new Neighbour(local(service));
  const started = performance.now();
  const jobs = await run(local(service));
  const seconds = (performance.now() - started) / 1000;
  await neighbour.end();
  return {
    jobs,
    seconds,
    longestCommand: await longestCommand(redis),
    p99: percentile(neighbour.waits, 99),
  };
}

/** In milliseconds; 0 when none was long enough to be noted. */
async function longestCommand(redis: Redis): Promise<number> {
  const noted = (await redis.slowlog('GET', 10_000)) as [number, number, number][];
  return Math.max(0, ...noted.map(([, , microseconds]) => microseconds)) / 1000;
}
