import type { AttackedStore } from '../hostile/attacked-stores.ts';
import { measure, ratios, type Contender } from '../measure.ts';
import { figures, result, type Result } from '../report.ts';
import { ServerProcess } from '../server-process.ts';
import { startEndpoint, SteppingQueue } from './stepping-queue.ts';

/** Called one after the other, in each round. */
const JOBS = 50;
const PREPARED_AT_ONCE = 4;

/** How many times what a call with few steps takes one with many may. */
const MOST = 2;

/** Calls that carry few steps, and many. */
export async function benchCalls(
  store: string,
  start: () => Promise<AttackedStore>,
  rounds: number,
): Promise<readonly Result[]> {
  const kept = await start();
  const endpoint = await startEndpoint();
  const service = await ServerProcess.service(kept.environment);
  const contender = (name: string, steps: number, bytes: number): Contender => {
    const queue = new SteppingQueue(
      service,
      endpoint,
      `of-${steps}-${bytes}`,
      `wait/${steps}/${bytes}`,
    );
    return {
      name,
      service,
      before: async () => {
        await queue.add(JOBS);
        await queue.startWorker(PREPARED_AT_ONCE);
        await queue.until('delayed', JOBS);
        await queue.stopWorker();
        await queue.signal();
      },
      run: async () => {
        await queue.startWorker(1);
        await queue.until('completed', JOBS);
        return JOBS;
      },
      after: async () => {
        await queue.stopWorker();
        await queue.empty();
      },
    };
  };
  try {
    const measured = await measure(
      [
        contender('10 steps of 1 kB', 10, 1024),
        contender('10 steps of 100 kB', 10, 102_400),
        contender('1,000 steps of 1 kB', 1000, 1024),
      ],
      rounds,
    );
    const [small, large, many] = measured;
    if (small === undefined || large === undefined || many === undefined) return [];
    return [
      result(`${store}: calls with steps`, 'calls/s', measured),
      figures(`${store}: the time of a call with 1,000 steps of 1 kB`, [
        {
          name: 'against 10 steps of 1 kB',
          values: ratios(small, many),
          unit: 'times',
          most: MOST,
        },
        {
          name: 'against 10 steps of 100 kB',
          values: ratios(large, many),
          unit: 'times',
          most: MOST,
        },
      ]),
    ];
  } finally {
    await Promise.all([service.stop(), endpoint.stop()]);
    await kept.end();
  }
}
