import { setTimeout as sleep } from 'node:timers/promises';
import type { AttackedStore } from '../hostile/attacked-stores.ts';
import { local } from '../load.ts';
import { figures, type Result } from '../report.ts';
import { ServerProcess } from '../server-process.ts';
import { call, jobInput } from '../service-calls.ts';
import { startEndpoint, SteppingQueue } from './stepping-queue.ts';

const CONCURRENCY = 50;
const BATCH = 1000;
const DAY = 86_400_000;
/** Milliseconds until V8 has collected what the calls needed, some 50 s later, and in which the rest is measured. */
const [RETURN_TIME, IDLE_TIME] = [75_000, 30_000];

/** What jobs cost that rest. */
interface Rest {
  /** Milliseconds of processor time of the service in a minute. */
  readonly time: number;
  /** Resident memory of the service, and size of its store, in bytes. */
  readonly memory: number;
  readonly size: number;
}

type Fill = (service: ServerProcess, endpoint: ServerProcess) => Promise<void>;

/** Jobs that sleep for a day in a step, beside as many whose delay is a day, and none. */
export async function benchAsleep(
  store: string,
  start: () => Promise<AttackedStore>,
  jobs: number,
): Promise<Result> {
  const none = await restOf(start, () => Promise.resolve());
  const delayed = await restOf(start, (service) => addDelayed(service, jobs));
  const asleep = await restOf(start, async (service, endpoint) => {
    const queue = new SteppingQueue(service, endpoint, 'asleep', 'sleep');
    await queue.add(jobs);
    await queue.startWorker(CONCURRENCY);
    await queue.until('delayed', jobs);
  });
  const rows = (name: string, rest: Rest) => [
    { name: `${name}: processor time a minute`, values: [rest.time], unit: 'ms' },
    { name: `${name}: memory of a job`, values: [perJob(rest, 'memory')], unit: 'bytes' },
    ...(rest.size > 0
      ? [{ name: `${name}: of it in the store`, values: [perJob(rest, 'size')], unit: 'bytes' }]
      : []),
  ];
  const perJob = (rest: Rest, of: 'memory' | 'size'): number => (rest[of] - none[of]) / jobs;
  const many = jobs.toLocaleString('en');
  return figures(`${store}: ${many} jobs that rest for a day`, [
    { name: 'none: processor time a minute', values: [none.time], unit: 'ms' },
    ...rows('delayed', delayed),
    ...rows('asleep', asleep),
  ]);
}

async function restOf(start: () => Promise<AttackedStore>, fill: Fill): Promise<Rest> {
  const store = await start();
  const endpoint = await startEndpoint();
  const service = await ServerProcess.service(store.environment);
  try {
    await fill(service, endpoint);
    await sleep(RETURN_TIME);
    const used = service.processorTime;
    await sleep(IDLE_TIME);
    const time = ((service.processorTime - used) / IDLE_TIME) * 60_000;
    const { size = 0 } = await store.cost();
    return { time, memory: service.memory, size };
  } finally {
    await Promise.all([service.stop(), endpoint.stop()]);
    await store.end();
  }
}

async function addDelayed(service: ServerProcess, jobs: number): Promise<void> {
  for (let left = jobs; left > 0; left -= BATCH) {
    const size = Math.min(left, BATCH);
    const added = Array.from({ length: size }, () => ({ ...jobInput, opts: { delay: DAY } }));
    await call(local(service), 'POST', '/queues/delayed/jobs', added);
  }
}
