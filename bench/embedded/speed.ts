import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Lanes } from '../lanes.ts';
import { local, requestBytes, sendLoad } from '../load.ts';
import { measure, type Contender } from '../measure.ts';
import { startNoOpEndpoint } from '../no-op-endpoint.ts';
import { percentile } from '../percentile.ts';
import { figures, noted, result, type Result } from '../report.ts';
import { ServerProcess } from '../server-process.ts';
import {
  addJobs,
  call,
  jobCounts,
  jobInput,
  registerWorker,
  removeWorker,
} from '../service-calls.ts';
import { withFolder } from './folders.ts';

const CLIENTS = 64;
const SINGLES = 20_000;
const BATCH = 100;
const BATCHES = 500;
const PROCESSED = 10_000;
const TIMED = 2000;
const CONCURRENCY = 100;
const QUEUE = 'bench';

/** Of the rates of a store without a disk. */
const LEAST_RATIO = 0.8;
/** Milliseconds that an add may take more. */
const MOST_LATER = 1;
/** Milliseconds that each sync of a slow disk takes more, and those that the event loop may lag meanwhile. */
const SYNC_DELAY = 5;
const MOST_LAG = 10;

const MEMORY = 'STORE=memory';
const EMBEDDED = 'STORE=embedded';
const SLOW = 'STORE=embedded, slow disk';

/** Adds one by one and in batches, and webhook jobs. */
export function benchSpeed(rounds: number): Promise<readonly Result[]> {
  return withFolder((folder) => besideMemory(EMBEDDED, { STORE_PATH: folder }, rounds));
}

/** The same work on a store and in memory. @param environment makes a service use the store. */
export async function besideMemory(
  name: string,
  environment: Readonly<Record<string, string>>,
  rounds: number,
): Promise<readonly Result[]> {
  const endpoint = await startNoOpEndpoint();
  const services = [
    { name: MEMORY, service: await ServerProcess.service({ STORE: 'memory' }) },
    { name, service: await ServerProcess.service(environment) },
  ];
  const compare = async (
    scenario: string,
    work: (service: ServerProcess) => Omit<Contender, 'name'>,
  ): Promise<Result> => {
    const contenders = services.map((each) => ({ ...each, ...work(each.service) }));
    return result(scenario, 'jobs/s', await measure(contenders, rounds), {
      [name]: LEAST_RATIO,
    });
  };
  try {
    const singles = await compare(`Single adds, ${CLIENTS} clients`, (service) => ({
      run: () => addSingly(service),
      after: () => emptyQueue(service),
    }));
    const batches = await compare(`Batches of ${BATCH}`, (service) => ({
      run: () => addBatches(service),
      after: () => emptyQueue(service),
    }));
    const processed = await compare('Webhook jobs', (service) => ({
      before: () => addBacklog(service),
      run: () => workOff(service, endpoint.url),
      after: () => emptyQueue(service),
    }));
    const times = await addTimes(services, rounds);
    return [singles, batches, noted(`the endpoint is ${endpoint.name}`, processed), times];
  } finally {
    await Promise.all(services.map(({ service }) => service.stop()));
    await endpoint.stop();
  }
}

/** Single adds on a disk that is slow to sync, and how much the event loop lags meanwhile. */
export function benchSlowDisk(rounds: number): Promise<readonly Result[]> {
  return withFolder(async (folder) => {
    const lags: Record<string, number[]> = { [MEMORY]: [], [SLOW]: [] };
    const rates: Record<string, number[]> = { [MEMORY]: [], [SLOW]: [] };
    for (let round = 0; round < rounds; round += 1) {
      for (const name of [MEMORY, SLOW]) {
        const lag = join(folder, 'lag');
        const path = join(folder, String(round));
        const service = await ServerProcess.service({
          ...(name === MEMORY ? { STORE: 'memory' } : { STORE_PATH: path }),
          NODE_OPTIONS: `--import=${new URL('slow-syncs.js', import.meta.url).href}`,
          SYNC_DELAY: String(SYNC_DELAY),
          LAG_FILE: lag,
        });
        const started = performance.now();
        await addSingly(service);
        rates[name]?.push(SINGLES / ((performance.now() - started) / 1000));
        await service.stop();
        lags[name]?.push(Number(readFileSync(lag, 'utf8')));
      }
    }
    const rows = [MEMORY, SLOW].flatMap((name) => [
      { name: `${name}, adds`, values: rates[name] ?? [], unit: 'per s' },
      {
        name: `${name}, lag at p99`,
        values: lags[name] ?? [],
        unit: 'ms',
        ...(name === SLOW && { most: MOST_LAG }),
      },
    ]);
    return [
      figures(`Single adds, ${CLIENTS} clients, each sync takes ${SYNC_DELAY} ms more`, rows),
    ];
  });
}

interface Named {
  readonly name: string;
  readonly service: ServerProcess;
}

/** How long an add takes when it is the only one. */
async function addTimes(services: readonly Named[], rounds: number): Promise<Result> {
  const medians = services.map((): number[] => []);
  for (let round = 0; round <= rounds; round += 1) {
    for (const [index, { service }] of services.entries()) {
      const found = await timesOfAdds(service);
      await emptyQueue(service);
      if (round > 0) medians[index]?.push(percentile(found, 50));
    }
  }
  const [memory = [], kept = []] = medians;
  return figures('One add after the other, p50', [
    { name: MEMORY, values: memory, unit: 'ms' },
    { name: services[1]?.name ?? '', values: kept, unit: 'ms' },
    {
      name: 'more with a disk',
      values: kept.map((time, round) => time - (memory[round] ?? Number.NaN)),
      unit: 'ms',
      most: MOST_LATER,
    },
  ]);
}

async function timesOfAdds(service: ServerProcess): Promise<readonly number[]> {
  const target = local(service);
  const request = requestBytes(target, singleAdd, singleAdd.path);
  const lanes = await Lanes.open(target, 1);
  const times: number[] = [];
  for (let sent = 0; sent < TIMED; sent += 1) {
    const started = performance.now();
    await lanes.send(request);
    times.push(performance.now() - started);
  }
  lanes.close();
  return times;
}

const singleAdd = {
  method: 'POST',
  path: `/queues/${QUEUE}/jobs`,
  body: JSON.stringify([jobInput]),
};

function addSingly(service: ServerProcess): Promise<number> {
  return sendLoad(local(service), singleAdd, CLIENTS, SINGLES);
}

async function addBatches(service: ServerProcess): Promise<number> {
  const body = JSON.stringify(Array.from({ length: BATCH }, () => jobInput));
  const sent = await sendLoad(local(service), { ...singleAdd, body }, CLIENTS, BATCHES);
  return sent * BATCH;
}

async function addBacklog(service: ServerProcess): Promise<void> {
  for (let added = 0; added < PROCESSED; added += 1000) {
    await addJobs(local(service), QUEUE, 1000);
  }
}

async function workOff(service: ServerProcess, url: string): Promise<number> {
  const target = local(service);
  await registerWorker(target, { queue: QUEUE, url, concurrency: CONCURRENCY });
  for (;;) {
    const { completed, failed } = await jobCounts(target, QUEUE);
    if (failed > 0) throw new Error('Jobs have failed');
    if (completed === PROCESSED) break;
    await sleep(10);
  }
  await removeWorker(target, QUEUE);
  return PROCESSED;
}

async function emptyQueue(service: ServerProcess): Promise<void> {
  await call(local(service), 'DELETE', `/queues/${QUEUE}?confirm=${QUEUE}&force=true`);
}
