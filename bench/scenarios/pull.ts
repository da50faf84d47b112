import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { Agent, request } from 'undici';
import { RedisServer } from '../../test/support/redis/redis-server.ts';
import type { BenchOptions } from '../bench-options.ts';
import { REPLICAS, timesBetweenReplicas } from '../between-replicas.ts';
import { Lanes } from '../lanes.ts';
import { local, requestBytes, type Target } from '../load.ts';
import { measure, type Contender } from '../measure.ts';
import { startNoOpEndpoint } from '../no-op-endpoint.ts';
import { before, figures, noted, result, type Figures, type Result } from '../report.ts';
import { costOf, ServerProcess } from '../server-process.ts';
import { addJobs, registerWorker, removeWorker } from '../service-calls.ts';

const JOBS = 10_000;
const BATCH = 1000;
/** Jobs of one claim. */
const CLAIMED = 100;
/** Connections over which what was claimed is completed. */
const CONNECTIONS = 64;
/** Clients that claim at the same time. */
const CLIENTS = 3;
const QUEUE = 'bench';

const WAKE_UPS = 300;

const WAITING = 1000;
const QUEUES = 100;
/** Milliseconds; claims wait for a minute at most. */
const IDLE_TIME = 30_000;

interface Claimed {
  readonly job: { readonly id: string };
  readonly token: string;
}

/** Clients that take jobs themselves: how fast, how soon after an add, and what it costs that they wait. */
export async function benchPull(
  rounds: number,
  { before: checkout }: BenchOptions,
): Promise<readonly Result[]> {
  const server = await RedisServer.start();
  const redis = new Redis(server.uri);
  try {
    return [
      await rates(rounds, server, redis, checkout),
      await wakeUps(rounds, server.uri),
      await waitingClaims(rounds, server.uri, redis),
    ];
  } finally {
    redis.disconnect();
    await server.stop();
  }
}

/** Working off a backlog: a call for each job, one after the other, against claims of 100 and 100 completions. */
async function rates(
  rounds: number,
  server: RedisServer,
  redis: Redis,
  checkout: string | undefined,
): Promise<Result> {
  const store = costOf(server.pid);
  const endpoint = await startNoOpEndpoint();
  const { url } = endpoint;
  const environment = { STORE_URI: server.uri };
  const service = await ServerProcess.service(environment);
  const earlier = await ServerProcess.before(environment, checkout);
  const backlog = async (): Promise<void> => {
    await redis.flushall();
    for (let added = 0; added < JOBS; added += BATCH) await addJobs(local(service), QUEUE, BATCH);
  };
  const called = (name: string, concurrency: number): Contender => ({
    name,
    service,
    store,
    before: backlog,
    run: async () => {
      await registerWorker(local(service), { queue: QUEUE, url, concurrency });
      while ((await redis.zcard(`bull:${QUEUE}:completed`)) < JOBS) await sleep(5);
      return JOBS;
    },
    after: () => removeWorker(local(service), QUEUE),
  });
  const pulled = (name: string, by: ServerProcess, clients = 1): Contender => ({
    name,
    service: by,
    store,
    before: backlog,
    run: () => pullAll(local(by), clients),
  });
  const pull = `claims of ${CLAIMED}, ${CLAIMED} completions`;
  try {
    const measured = await measure(
      [
        called('webhooks, one by one', 1),
        called(`webhooks, ${CLAIMED} at once`, CLAIMED),
        pulled(pull, service),
        pulled(`the same, ${CLIENTS} clients`, service, CLIENTS),
        ...(earlier ? [pulled(before(pull), earlier)] : []),
      ],
      rounds,
    );
    const found = result('Jobs that a client takes itself', 'jobs/s', measured, { [pull]: 4 });
    return noted(`the endpoint is ${endpoint.name}`, found);
  } finally {
    await Promise.all([service, ...(earlier ? [earlier] : [])].map((each) => each.stop()));
    await endpoint.stop();
  }
}

/** @returns how many jobs were completed until there were no more. */
async function pullAll(target: Target, clients: number): Promise<number> {
  const lanes = await Lanes.open(target, CONNECTIONS);
  const agent = new Agent();
  let completed = 0;
  const client = async (): Promise<void> => {
    for (;;) {
      const claimed = await claim(target, QUEUE, { count: CLAIMED }, agent);
      if (claimed.length === 0) return;
      const completions = claimed.map(({ job, token }) => {
        const path = `/queues/${QUEUE}/jobs/${job.id}/complete`;
        const own = { ...target, token };
        return lanes.send(requestBytes(own, { method: 'POST', body: '{"sent":true}' }, path));
      });
      await Promise.all(completions);
      completed += claimed.length;
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  lanes.close();
  await agent.close();
  return completed;
}

async function claim(
  { host, port, token }: Target,
  queue: string,
  body: object,
  dispatcher: Agent,
): Promise<readonly Claimed[]> {
  const answer = await request(`http://${host}:${port}/queues/${queue}/jobs/claim`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
    dispatcher,
  });
  if (answer.statusCode !== 200) throw new Error(`A claim was answered with ${answer.statusCode}`);
  return (await answer.body.json()) as Claimed[];
}

/** From sending an add to one replica to the answer of a claim that waits at another one. */
async function wakeUps(rounds: number, uri: string): Promise<Figures> {
  const { p50, p99 } = await timesBetweenReplicas(
    { STORE_URI: uri },
    rounds,
    WAKE_UPS,
    async (waiting, adding, agent) => {
      const answer = claim(waiting, 'wake-up', { wait: 10_000 }, agent);
      await sleep(10);
      const sent = performance.now();
      await addJobs(adding, 'wake-up', 1);
      await answer;
      return performance.now() - sent;
    },
  );
  return figures(`From an add to the answer of a claim that waits, ${REPLICAS} replicas`, [
    { name: 'p50', values: p50, unit: 'ms', most: 50 },
    { name: 'p99', values: p99, unit: 'ms', most: 250 },
  ]);
}

/** What a replica costs while clients wait and no job comes. */
async function waitingClaims(rounds: number, uri: string, redis: Redis): Promise<Figures> {
  const connections: number[] = [];
  const shares: number[] = [];
  const memory: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await redis.flushall();
    const service = await ServerProcess.service({ STORE_URI: uri });
    const agent = new Agent();
    const left = Array.from({ length: WAITING }, (_, index) =>
      claim(local(service), `queue-${index % QUEUES}`, { wait: 60_000 }, agent),
    );
    const ended = Promise.allSettled(left);
    await sleep(5000);
    const used = service.processorTime;
    await sleep(IDLE_TIME);
    shares.push(((service.processorTime - used) / IDLE_TIME) * 100);
    // One of them is this program's own.
    connections.push(
      String(await redis.client('LIST'))
        .trim()
        .split('\n').length - 1,
    );
    memory.push(service.memory / (1024 * 1024));
    await agent.destroy();
    await ended;
    await service.stop();
  }
  return figures(`${WAITING} claims that wait on ${QUEUES} queues`, [
    { name: 'connections to Redis', values: connections, unit: '', most: 24 },
    { name: 'of one processor', values: shares, unit: '%' },
    { name: 'resident memory', values: memory, unit: 'MB' },
  ]);
}
