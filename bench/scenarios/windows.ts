import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { RedisServer } from '../../test/support/redis/redis-server.ts';
import { several } from '../hostile/steps.ts';
import { local, type Target } from '../load.ts';
import { figures, type Result } from '../report.ts';
import { ServerProcess } from '../server-process.ts';
import { call, registerWorker } from '../service-calls.ts';

const QUEUES = 10_000;
const CONNECTIONS = 16;

/** For how long (ms) the service is watched while nothing may start. */
const WATCHED = 10_000;

/** Time (ms) for what follows a change, such as samples of the figures, to be over. */
const SETTLED = 20_000;

const REPLICAS = 3;
const SHARED_QUEUES = 300;

/** How soon (ms) all replicas must open (reach contract, section 19). */
const LATEST = 1000;

const [MINUTE, HOUR] = [60_000, 3_600_000];

/** What windows cost while they are closed, and how soon replicas open. */
export async function benchWindows(rounds: number): Promise<readonly Result[]> {
  return [await closed(rounds), await opening(rounds)];
}

/** The same queues with a job each: outside of their windows, and paused, which costs nothing but being a queue. */
async function closed(rounds: number): Promise<Result> {
  const server = await RedisServer.start();
  const service = await ServerProcess.service({ STORE_URI: server.uri });
  const target = local(service);
  try {
    await openAt(target, Date.now() + 12 * HOUR);
    await several(CONNECTIONS, QUEUES, (n) => worker(target, n));
    await several(CONNECTIONS, QUEUES, (n) => call(target, 'POST', path(n), [JOB]));
    await sleep(SETTLED);
    const shut = [];
    for (let round = 0; round < rounds; round += 1) shut.push(await watched(service, server));
    await several(CONNECTIONS, QUEUES, (n) => call(target, 'POST', `/queues/queue-${n}/pause`));
    await call(target, 'DELETE', '/policy');
    await sleep(SETTLED);
    const paused = [];
    for (let round = 0; round < rounds; round += 1) paused.push(await watched(service, server));
    const name = `${QUEUES} queues with a worker and a job each`;
    return figures(`${name}: outside of their windows, and paused`, [
      { name: 'closed, processor time', values: shut.map(({ time }) => time), unit: 'ms/s' },
      { name: 'paused, processor time', values: paused.map(({ time }) => time), unit: 'ms/s' },
      { name: 'closed, commands', values: shut.map(({ commands }) => commands), unit: '1/s' },
      { name: 'paused, commands', values: paused.map(({ commands }) => commands), unit: '1/s' },
    ]);
  } finally {
    await service.stop();
    await server.stop();
  }
}

/** How long after the moment of opening the last of the replicas starts its first job. */
async function opening(rounds: number): Promise<Result> {
  const server = await RedisServer.start();
  const services: ServerProcess[] = [];
  try {
    for (let n = 0; n < REPLICAS; n += 1) {
      services.push(await ServerProcess.service({ STORE_URI: server.uri }));
    }
    const [first] = services;
    if (first === undefined) throw new Error('No replica was started');
    const target = local(first);
    const last: number[] = [];
    const early: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      // A full minute, far enough for all jobs to be there before.
      const opensAt = Math.ceil((Date.now() + 15_000) / MINUTE) * MINUTE;
      await openAt(target, opensAt);
      if (round === 0) await several(CONNECTIONS, SHARED_QUEUES, (n) => worker(target, n));
      const ids = new Map<number, string>();
      await several(CONNECTIONS, SHARED_QUEUES, async (n) => {
        const answer = await call(target, 'POST', path(n), [JOB]);
        const [job] = (await answer.json()) as readonly { readonly id: string }[];
        if (job !== undefined) ids.set(n, job.id);
      });
      await sleep(opensAt - Date.now() + 3 * LATEST);
      const starts = await Promise.all([...ids].map(([n, id]) => startOf(target, n, id)));
      const firsts = new Map<string, number>();
      for (const { replica, startedAt } of starts) {
        firsts.set(replica, Math.min(startedAt, firsts.get(replica) ?? Infinity));
      }
      if (firsts.size < REPLICAS) throw new Error(`Only ${firsts.size} replicas started jobs`);
      last.push(Math.max(...firsts.values()) - opensAt);
      early.push(starts.filter(({ startedAt }) => startedAt < opensAt).length);
    }
    return figures(`${REPLICAS} replicas, ${SHARED_QUEUES} queues whose window opens`, [
      { name: 'first start of the last replica', values: last, unit: 'ms', most: LATEST },
      { name: 'starts before the opening', values: early, unit: 'jobs', most: 0 },
    ]);
  } finally {
    for (const service of services) await service.stop();
    await server.stop();
  }
}

const JOB = { name: 'mail', data: null };

function path(queue: number): string {
  return `/queues/queue-${queue}/jobs`;
}

/** Nothing listens at its endpoint. */
function worker(target: Target, queue: number): Promise<void> {
  const url = 'http://127.0.0.1:9/';
  return registerWorker(target, { queue: `queue-${queue}`, url, concurrency: 1 });
}

/** Opens all queues for an hour from a time (epoch ms) on, whose minute counts. */
async function openAt(target: Target, time: number): Promise<void> {
  const ofDay = (at: number): string => new Date(at).toISOString().slice(11, 16);
  const open = [{ from: ofDay(time), to: ofDay(time + HOUR) }];
  await call(target, 'PUT', '/policy', { window: { open, tz: 'UTC' } });
}

async function startOf(
  target: Target,
  queue: number,
  id: string,
): Promise<{ readonly replica: string; readonly startedAt: number }> {
  const answer = await call(target, 'GET', `${path(queue)}/${id}/attempts`);
  const { attempts } = (await answer.json()) as {
    readonly attempts: readonly { readonly replica: string; readonly startedAt: number }[];
  };
  return attempts[0] ?? { replica: 'none', startedAt: Infinity };
}

/** What is used each second. */
async function watched(
  service: ServerProcess,
  server: RedisServer,
): Promise<{ readonly time: number; readonly commands: number }> {
  const client = new Redis(server.uri);
  const [time, commands] = [service.processorTime, await commandsOf(client)];
  await sleep(WATCHED);
  const seconds = WATCHED / 1000;
  const used = {
    time: (service.processorTime - time) / seconds,
    commands: ((await commandsOf(client)) - commands) / seconds,
  };
  client.disconnect();
  return used;
}

async function commandsOf(client: Redis): Promise<number> {
  return Number(/total_commands_processed:(\d+)/.exec(await client.info('stats'))?.[1]);
}
