import { readFileSync } from 'node:fs';
import { PostgresServer } from '../../test/support/postgres/postgres-server.ts';
import { RedisServer } from '../../test/support/redis/redis-server.ts';
import type { BenchOptions } from '../bench-options.ts';
import { keptSteps, MOST_WAIT, type Step } from '../capacity/steps.ts';
import { withFolder } from '../embedded/folders.ts';
import { local } from '../load.ts';
import type { Costly } from '../measure.ts';
import { figures, noted, type Result } from '../report.ts';
import { costOf, ServerProcess } from '../server-process.ts';
import { call, registerWorker } from '../service-calls.ts';

const MEGABYTE = 1024 * 1024;
const QUEUE = 'bench';
/** Enough that a rate fails for lack of processors, not of calls at once. */
const CONCURRENCY = 200;
/** Jobs that stay: a load for hours shall not grow. */
const KEPT = 1000;

type Environment = Readonly<Record<string, string>>;
type Measure = (environment: Environment, store?: Costly) => Promise<Result>;

/** Stores as a service uses them, by name. */
const STORES: Readonly<Record<string, (measure: Measure) => Promise<Result>>> = {
  embedded: (measure) => withFolder((folder) => measure({ STORE_PATH: folder })),
  redis: async (measure) => {
    const server = await RedisServer.start();
    return measure({ STORE_URI: server.uri }, costOf(server.pid)).finally(() => server.stop());
  },
  postgres: async (measure) => {
    const server = await PostgresServer.start({ fsync: 'on', synchronous_commit: 'on' });
    return measure({ STORE_URI: server.uri }, costOfFamily(server.pid)).finally(() =>
      server.stop(),
    );
  },
};

/**
 * How many jobs a second one process takes on this machine, each added alone and delivered by a call of its own, and
 * what that costs: the bench and the endpoint share the processors with what is measured.
 */
export async function benchCapacity(
  _rounds: number,
  { only = '' }: BenchOptions,
): Promise<readonly Result[]> {
  const stores = Object.entries(STORES).filter(([name]) => name.includes(only));
  if (stores.length === 0) throw new Error(`There is no store whose name has "${only}"`);
  const results: Result[] = [];
  for (const [name, use] of stores) {
    results.push(await use((environment, store) => measureStore(name, environment, store)));
  }
  return results;
}

async function measureStore(
  name: string,
  environment: Environment,
  store?: Costly,
): Promise<Result> {
  const endpoint = await ServerProcess.start(['--import', 'tsx', 'bench/arrival-endpoint.ts'], {});
  const service = await ServerProcess.service(environment);
  try {
    const url = `http://127.0.0.1:${endpoint.port}/`;
    const policy = { defaults: { removeOnComplete: { count: KEPT } } };
    await call(local(service), 'PUT', `/queues/${QUEUE}/policy`, policy);
    await registerWorker(local(service), { queue: QUEUE, url, concurrency: CONCURRENCY });
    const rest = service.memory;
    return report(name, rest, await keptSteps({ service, store, endpoint: url, queue: QUEUE }));
  } finally {
    await service.stop();
    await endpoint.stop();
  }
}

function report(store: string, rest: number, steps: readonly Step[]): Result {
  const rows = steps.flatMap(({ rate, p50, p99, service, store: database, memory }) => {
    const row = (name: string, value: number, unit: string) => ({
      name: `${rate} jobs/s: ${name}`,
      values: [value],
      unit,
    });
    return [
      row('from add to call, p50', p50, 'ms'),
      row('from add to call, p99', p99, 'ms'),
      row('the service uses', service, 'cores'),
      ...(database === 0 ? [] : [row('the store uses', database, 'cores')]),
      row('memory of the service', memory / MEGABYTE, 'MB'),
    ];
  });
  const [last] = steps.slice(-1);
  const found = figures(`Capacity of one process, store: ${store}`, [
    { name: 'the highest rate that was kept', values: [last?.rate ?? 0], unit: 'jobs/s' },
    {
      name: 'processor time of the service for a job',
      values: [perJob(last, 'service')],
      unit: 'us',
    },
    ...(last?.store
      ? [
          {
            name: 'processor time of the store for a job',
            values: [perJob(last, 'store')],
            unit: 'us',
          },
        ]
      : []),
    { name: 'memory of the service at rest', values: [rest / MEGABYTE], unit: 'MB' },
    ...rows,
  ]);
  return noted(`a rate is kept when 99 of 100 jobs are called within ${MOST_WAIT} ms`, found);
}

/** Microseconds. */
function perJob(step: Step | undefined, of: 'service' | 'store'): number {
  return step === undefined ? 0 : (step[of] / step.rate) * 1e6;
}

/** What a process and its children use, as a PostgreSQL with a process for each connection. */
function costOfFamily(pid: number): Costly {
  return {
    get processorTime() {
      const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ');
      const pids = [pid, ...children.filter(Boolean).map(Number)];
      return pids.reduce((sum, each) => sum + costOf(each).processorTime, 0);
    },
  };
}
