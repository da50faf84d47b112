import { setTimeout as sleep } from 'node:timers/promises';
import { RedisServer } from '../../test/support/redis/redis-server.ts';
import { local, sendLoad } from '../load.ts';
import { percentile } from '../percentile.ts';
import { figures, type Result } from '../report.ts';
import { ServerProcess } from '../server-process.ts';

const QUEUES = 10_000;
const JOBS_PER_QUEUE = 30;

/** Every so many queues, the jobs are in this many groups, of which each runs one at a time. */
const [GROUPED, GROUPS] = [5, 10];

const CONNECTIONS = 32;
const READS = 100;

/** How long (ms) between two questions of what scales workers. */
const POLLING_INTERVAL = 15_000;

/** How long (ms) nobody has asked when the service reads all queues again while somebody waits. */
const SILENCE = 90_000;

/** The demand of many queues together and of one, as what scales workers asks for it. */
export async function benchDemand(rounds: number): Promise<readonly Result[]> {
  const server = await RedisServer.start();
  const service = await ServerProcess.service({ STORE_URI: server.uri });
  try {
    await fill(service);
    const first = [await timeOf(service, '/demand')];
    const polled: number[] = [];
    const shared: number[] = [];
    const single: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      await sleep(POLLING_INTERVAL);
      polled.push(await timeOf(service, '/demand'));
      shared.push(await slowest(service, () => '/demand?queues=queue-1*'));
      single.push(await slowest(service, (read) => `/queues/queue-${GROUPED * read}/demand`));
    }
    await sleep(SILENCE);
    const late = [await timeOf(service, '/demand')];
    return [
      figures(`The demand of ${QUEUES} queues with ${QUEUES * JOBS_PER_QUEUE} jobs`, [
        { name: 'of all, asked every 15 s', values: polled, unit: 'ms', most: 50 },
        { name: 'of all, after 90 s of silence', values: late, unit: 'ms' },
        { name: 'of all, the very first time', values: first, unit: 'ms' },
        { name: 'of some, 95th percentile', values: shared, unit: 'ms', most: 50 },
        {
          name: 'of one with limits of groups, 95th percentile',
          values: single,
          unit: 'ms',
          most: 50,
        },
      ]),
    ];
  } finally {
    await service.stop();
    await server.stop();
  }
}

async function fill(service: ServerProcess): Promise<void> {
  const jobs = (isGrouped: boolean): string =>
    JSON.stringify(
      Array.from({ length: JOBS_PER_QUEUE }, (_, index) => ({
        name: 'mail',
        data: {},
        ...(isGrouped && { opts: { group: { id: `group-${index % GROUPS}` } } }),
      })),
    );
  const bodies = { grouped: jobs(true), plain: jobs(false) };
  await fetch(`http://127.0.0.1:${service.port}/policy`, {
    method: 'PUT',
    headers: { authorization: 'Bearer bench', 'content-type': 'application/json' },
    body: JSON.stringify({ groups: { concurrency: 1 } }),
  });
  for (const [body, offsets] of [
    [bodies.grouped, [0]],
    [bodies.plain, [1, 2, 3, 4]],
  ] as const) {
    for (const offset of offsets) {
      const load = {
        method: 'POST',
        path: (index: number) => `/queues/queue-${GROUPED * (index - 1) + offset}/jobs`,
        body,
      };
      await sendLoad(local(service), load, CONNECTIONS, QUEUES / GROUPED);
    }
  }
}

/** The 95th percentile of the times (ms) of several answers. */
async function slowest(service: ServerProcess, path: (read: number) => string): Promise<number> {
  const times: number[] = [];
  for (let read = 0; read < READS; read += 1) times.push(await timeOf(service, path(read)));
  return percentile(times, 95);
}

/** How long (ms) an answer takes to come. */
async function timeOf({ port }: ServerProcess, path: string): Promise<number> {
  const started = performance.now();
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    headers: { authorization: 'Bearer bench' },
  });
  const answer = (await response.json()) as { readonly demand: number; readonly queues?: number };
  const time = performance.now() - started;
  checkDemand(path, answer);
  return time;
}

/** @throws Error unless only jobs count that could start. */
function checkDemand(
  path: string,
  { demand, queues = 1 }: { readonly demand: number; readonly queues?: number },
): void {
  const ofGrouped = QUEUES / GROUPED;
  const expected: Readonly<Record<string, readonly [demand: number, queues: number]>> = {
    '/demand': [ofGrouped * GROUPS + (QUEUES - ofGrouped) * JOBS_PER_QUEUE, QUEUES],
  };
  const [most, count] = expected[path] ?? [path.startsWith('/queues') ? GROUPS : demand, queues];
  if (demand !== most || queues !== count) {
    throw new Error(`${path} answered ${demand} of ${queues} queues`);
  }
}
