import { setTimeout as sleep } from 'node:timers/promises';
import { RedisServer } from '../../test/support/redis/redis-server.ts';
import { local, sendLoad } from '../load.ts';
import { percentile } from '../percentile.ts';
import { figures, type Result } from '../report.ts';
import { ServerProcess } from '../server-process.ts';

const QUEUES = 10_000;
const JOBS_PER_QUEUE = 30;
const CONNECTIONS = 32;
const READS = 200;

/** For how long (ms) a view of the queues is shown. */
const VIEW_TIME = 5000;

/** Lists of many queues with their figures: a page by name, and one in the order of the oldest jobs. */
export async function benchSight(rounds: number): Promise<readonly Result[]> {
  const server = await RedisServer.start();
  const service = await ServerProcess.service({ STORE_URI: server.uri });
  try {
    await fill(service);
    const pages: number[] = [];
    const firsts: number[] = [];
    const ages: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const times: number[] = [];
      for (let read = 0; read < READS; read += 1) {
        const start = (50 * read) % QUEUES;
        times.push((await page(service, `&start=${start}`)).time);
      }
      pages.push(percentile(times, 95));
      // The view of the round before is over.
      await sleep(VIEW_TIME);
      firsts.push((await page(service, '&sort=oldest')).time);
      await sleep(VIEW_TIME - 500);
      ages.push((await page(service, '&sort=oldest')).age);
    }
    return [
      figures(`${QUEUES} queues with ${QUEUES * JOBS_PER_QUEUE} jobs, pages of 50 with figures`, [
        { name: 'by name, 95th percentile', values: pages, unit: 'ms', most: 50 },
        { name: 'first of a view, by age', values: firsts, unit: 'ms' },
        { name: 'age of a view', values: ages, unit: 'ms', most: VIEW_TIME },
      ]),
    ];
  } finally {
    await service.stop();
    await server.stop();
  }
}

async function fill(service: ServerProcess): Promise<void> {
  const jobs = Array.from({ length: JOBS_PER_QUEUE }, () => ({ name: 'mail', data: {} }));
  const load = {
    method: 'POST',
    path: (index: number) => `/queues/queue-${index}/jobs`,
    body: JSON.stringify(jobs),
  };
  await sendLoad(local(service), load, CONNECTIONS, QUEUES);
}

/** How long (ms) a page takes to come, and how old it is then. */
async function page(
  { port }: ServerProcess,
  query: string,
): Promise<{ readonly time: number; readonly age: number }> {
  const started = performance.now();
  const response = await fetch(`http://127.0.0.1:${port}/queues?view=figures&length=50${query}`, {
    headers: { authorization: 'Bearer bench' },
  });
  const { at, total, queues } = (await response.json()) as {
    readonly at: number;
    readonly total: number;
    readonly queues: readonly unknown[];
  };
  if (total !== QUEUES || queues.length !== 50) {
    throw new Error(`A page had ${queues.length} of ${total} queues`);
  }
  return { time: performance.now() - started, age: Date.now() - at };
}
