import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { RedisServer } from '../../test/support/redis/redis-server.ts';
import { local } from '../load.ts';
import { measure, type Contender } from '../measure.ts';
import { startNoOpEndpoint } from '../no-op-endpoint.ts';
import { noted, result, type Result } from '../report.ts';
import { costOf, ServerProcess } from '../server-process.ts';
import { call, jobInput, registerWorker, removeWorker } from '../service-calls.ts';

const JOBS = 20_000;
const GROUPS = 10_000;
const ADDED_AT_ONCE = 1000;
const QUEUE = 'bench-groups';

/** How many jobs of one group wait as one of another is added. */
const FLOOD = 100_000;

/** Working off a backlog of 10,000 groups, beside one without groups, and the turn of a group beside a large one. */
export async function benchGroups(rounds: number): Promise<readonly Result[]> {
  const server = await RedisServer.start();
  const store = costOf(server.pid);
  const redis = new Redis(server.uri);
  const endpoint = await startNoOpEndpoint();
  const service = await ServerProcess.service({ STORE_URI: server.uri });
  const add = async (jobs: number, groupOf: (job: number) => string | undefined): Promise<void> => {
    for (let added = 0; added < jobs; added += ADDED_AT_ONCE) {
      const size = Math.min(ADDED_AT_ONCE, jobs - added);
      const body = Array.from({ length: size }, (_, index) => {
        const id = groupOf(added + index);
        return { ...jobInput, ...(id !== undefined && { opts: { group: { id } } }) };
      });
      await call(local(service), 'POST', `/queues/${QUEUE}/jobs`, body);
    }
  };
  const contender = (name: string, groupOf: (job: number) => string | undefined): Contender => ({
    name,
    service,
    store,
    before: async () => {
      await redis.flushall();
      await add(JOBS, groupOf);
    },
    run: async () => {
      const { url } = endpoint;
      await registerWorker(local(service), { queue: QUEUE, url, concurrency: 100 });
      while ((await redis.zcard(`bull:${QUEUE}:completed`)) < JOBS) await sleep(5);
      return JOBS;
    },
    after: () => removeWorker(local(service), QUEUE),
  });
  /** @returns how many jobs start from then on until that of a small group has started. */
  const startsUntilTurn = async (): Promise<number> => {
    await redis.flushall();
    await add(FLOOD, () => 'large');
    const claim = async (): Promise<string> => {
      const answer = await call(local(service), 'POST', `/queues/${QUEUE}/jobs/claim`, {});
      const [taken] = (await answer.json()) as [{ job: { opts: { group: { id: string } } } }];
      return taken.job.opts.group.id;
    };
    for (let started = 0; started < 10; started += 1) await claim();
    await add(1, () => 'small');
    let starts = 1;
    while ((await claim()) !== 'small') starts += 1;
    return starts;
  };
  try {
    const measured = await measure(
      [
        contender('without groups', () => undefined),
        contender('10,000 groups', (job) => `customer-${job % GROUPS}`),
      ],
      rounds,
    );
    const keys = (await redis.keys(`bull:${QUEUE}:jobgate:group-*`)).filter(
      (key) => !key.includes('shares'),
    );
    const starts = await startsUntilTurn();
    const rates = result('Processing in groups', 'jobs/s', measured);
    return [
      noted(
        `${keys.length} keys of groups are left; with ${FLOOD} waiting jobs of one group, ` +
          `a job of another is start ${starts}; the endpoint is ${endpoint.name}`,
        rates,
      ),
    ];
  } finally {
    await service.stop();
    await endpoint.stop();
    redis.disconnect();
    await server.stop();
  }
}
