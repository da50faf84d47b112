import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { limiterWindow, LONGEST_STRETCH } from '../../src/domain/queues/limiter.ts';
import { eventually } from '../support/eventually.ts';
import { isSlowLane, rounds } from '../support/lane.ts';
import { PostgresServer } from '../support/postgres/postgres-server.ts';
import { RedisServer } from '../support/redis/redis-server.ts';
import type { Answer } from '../support/called-service.ts';
import { mostWithin } from './support/most-within.ts';
import { Replicas } from './support/replicas.ts';
import { TimedEndpoint } from './support/timed-endpoint.ts';

/** `SECONDS=60 npm run test:file -- …` for another length. */
const SECONDS = Number(process.env['SECONDS'] ?? rounds(600, 8));
const BETWEEN_KILLS = rounds(10, 5);

const QUEUES = Array.from({ length: 10 }, (_, index) => `shared-${index}`);
const CONCURRENCY = 20;
const LIMITER = { max: 100, duration: 1000 };

/** Jobs of a replica that was killed are found in about two seconds instead of a minute. */
const QUICK = { LOCK_DURATION: '1000', STALLED_INTERVAL: '500' };

/** How long (ms) after a kill its jobs hold their room, and a new replica starts. */
const UNSETTLED = 4000;

/** A queue has at least so many jobs that wait. */
const BACKLOG = 300;

interface Store {
  readonly environment: Readonly<Record<string, string>>;
  /** How many processes share it. */
  readonly replicas: number;
  readonly stop: () => Promise<unknown>;
}

const STORES: Readonly<Record<string, () => Promise<Store>>> = {
  Redis: async () => {
    const server = await RedisServer.start();
    return { environment: { STORE_URI: server.uri }, replicas: 3, stop: () => server.stop() };
  },
  PostgreSQL: async () => {
    const server = await PostgresServer.start();
    return { environment: { STORE_URI: server.uri }, replicas: 3, stop: () => server.stop() };
  },
  'an embedded store': async () => {
    const folder = await mkdtemp(join(tmpdir(), 'jobgate-limits-'));
    const stop = () => rm(folder, { recursive: true });
    return { environment: { STORE_PATH: folder }, replicas: 1, stop };
  },
  memory: () =>
    Promise.resolve({
      environment: { STORE: 'memory' },
      replicas: 1,
      stop: () => Promise.resolve(),
    }),
};

const wanted = process.env['STORES']?.split(',') ?? Object.keys(STORES).slice(0, rounds(4, 1));

for (const name of wanted) describeLimits(name, STORES[name]!);

function describeLimits(name: string, start: () => Promise<Store>): void {
  describe(`ten queues that share two limits, on ${name}`, () => {
    let store: Store;
    let replicas: Replicas;
    let endpoint: TimedEndpoint;
    /** The part of what the limits allow that nobody took, by when it was asked (ms of `performance.now()`). */
    let unused: (readonly [at: number, part: number])[];

    beforeEach(async function () {
      this.timeout(60_000);
      store = await start();
      endpoint = await TimedEndpoint.start();
      unused = [];
      replicas = await Replicas.start(1, { ...store.environment, ...QUICK });
      await call('PUT', '/limits/slots', { concurrency: CONCURRENCY });
      await call('PUT', '/limits/starts', { limiter: LIMITER });
      await call('PUT', '/policy', { limits: ['slots', 'starts'] });
      // They have the policy in force from their start on.
      while (replicas.running.length < store.replicas) await replicas.add();
      for (const queue of QUEUES) {
        const opts = { concurrency: CONCURRENCY, maxStalledCount: 1000 };
        const url = `${endpoint.origin}/${queue}`;
        await call('POST', '/workers', { queue, endpoint: { url, method: 'post' }, opts });
      }
    });

    afterEach(async () => {
      await Promise.all(replicas.running.map((service) => service.kill()));
      endpoint.close();
      await store.stop();
    });

    /** Repeats a call until a replica answers it. */
    async function call(method: string, path: string, body?: unknown): Promise<Answer> {
      for (;;) {
        const answer = await replicas.next.call(method, path, body).catch(() => undefined);
        if (answer !== undefined && answer.status < 300) return answer;
        if (answer !== undefined && answer.status < 500) {
          throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
        }
        await sleep(50);
      }
    }

    async function keepBacklogs(longest: number): Promise<void> {
      for (const queue of QUEUES) {
        const { body } = await call('GET', `/queues/${queue}`);
        const { counts } = body as { counts: { waiting: number } };
        if (counts.waiting >= BACKLOG) continue;
        const jobs = Array.from({ length: BACKLOG }, () => ({
          name: 'call',
          data: 1 + Math.floor(Math.random() * longest),
          opts: { removeOnComplete: true },
        }));
        await call('POST', `/queues/${queue}/jobs`, jobs);
      }
    }

    /** @param longest how long (ms) the longest job takes. @returns the settled spans of time. */
    async function play(longest: number): Promise<readonly (readonly [number, number])[]> {
      await keepBacklogs(longest);
      const spans: (readonly [number, number])[] = [];
      let settledAt = performance.now() + UNSETTLED / 2;
      const endsAt = performance.now() + SECONDS * 1000;
      let killAt = performance.now() + BETWEEN_KILLS * 1000;
      while (performance.now() < endsAt) {
        await keepBacklogs(longest);
        await sleep(100);
        await noteUnused();
        if (store.replicas === 1 || performance.now() < killAt) continue;
        spans.push([settledAt, performance.now()]);
        killAt += BETWEEN_KILLS * 1000;
        const [oldest] = replicas.running;
        if (oldest !== undefined) await replicas.crash(oldest);
        await replicas.add();
        settledAt = performance.now() + UNSETTLED;
      }
      if (performance.now() > settledAt) spans.push([settledAt, performance.now()]);
      await drain();
      return spans;
    }

    /** What both limits have left: the queues may take no more than either allows. */
    async function noteUnused(): Promise<void> {
      const { body } = await call('GET', '/limits');
      const { limits } = body as { limits: Record<string, number>[] };
      const [slots = {}, starts = {}] = limits;
      const parts = [1 - slots['running']! / CONCURRENCY, starts['startsLeft']! / LIMITER.max];
      unused.push([performance.now(), Math.min(...parts)]);
    }

    /** Resolves once no slot is taken. */
    async function drain(): Promise<void> {
      for (const queue of QUEUES) await call('POST', `/queues/${queue}/drain`);
      await eventually(
        'no call runs under the limits',
        async () => {
          for (const queue of QUEUES) await call('POST', `/queues/${queue}/drain`);
          const { body } = await call('GET', '/limits/slots');
          return (body as { running: number }).running === 0;
        },
        20_000,
      );
    }

    function expectWithinLimits(spans: readonly (readonly [number, number])[]): void {
      const { calls } = endpoint;
      // A limiter's window is stretched by the time that a call is usually on its way: a busy machine may take longer.
      const timely = calls.filter(
        ({ startedAt, arrivedAt }) =>
          performance.timeOrigin + arrivedAt - startedAt <= LONGEST_STRETCH,
      );
      const arrivals = mostWithin(
        timely.map(({ arrivedAt }) => arrivedAt),
        LIMITER.duration,
      );
      const starts = calls.map(({ startedAt }) => startedAt).filter((at) => !Number.isNaN(at));
      const most = mostWithin(
        starts.sort((a, b) => a - b),
        LIMITER.duration,
      );
      const counts = QUEUES.map((queue) => calls.filter((each) => each.queue === queue).length);
      const mean = calls.length / QUEUES.length;
      process.stdout.write(
        `    ${name}: ${calls.length} calls, ${endpoint.mostAtOnce} at once, ${most} started and ${arrivals} arrived in a second, ` +
          `${calls.length - timely.length} late, of a queue ${Math.min(...counts)} to ${Math.max(...counts)}\n`,
      );
      const parts = unused
        .filter(([at]) => spans.some(([from, to]) => at >= from && at < to))
        .map(([, part]) => part);
      const lost = parts.reduce((sum, part) => sum + part, 0) / parts.length;
      process.stdout.write(`    ${name}: ${(lost * 100).toFixed(1)} % of the limits left\n`);
      expect(lost, 'the part of the limits that nobody took').to.be.at.most(0.05);
      expect(endpoint.mostAtOnce).to.be.at.most(CONCURRENCY);
      // Starts are told by the clocks of replicas, which look at theirs before a busy store counts the start.
      const mostSeen = isSlowLane ? LIMITER.max : 1.2 * LIMITER.max;
      expect(most).to.be.at.most(mostSeen);
      expect(arrivals).to.be.at.most(mostSeen);
      expect(Math.min(...counts), 'calls of the queue with the fewest').to.be.at.least(mean / 2);
    }

    /** The part that the endpoint sees at least: a machine that runs all tests at once takes long to make a call. */
    const used = isSlowLane ? 0.95 : 0.2;

    // holds: limits.shared, limits.turns, limits.faults
    it('has as many calls run as may, and never more, through kills', async () => {
      const spans = await play(500);
      expectWithinLimits(spans);
      const length = spans.reduce((sum, [from, to]) => sum + to - from, 0);
      const running = spans.reduce(
        (sum, [from, to]) => sum + endpoint.meanRunning(from, to) * (to - from),
        0,
      );
      process.stdout.write(`    ${name}: ${(running / length).toFixed(2)} calls run on average\n`);
      expect(running / length).to.be.at.least(used * CONCURRENCY);
    }).timeout(120_000 + SECONDS * 1500);

    // The everyday lane plays limiters of several queues in the contract of the port, on every store.
    if (!isSlowLane) return;

    // holds: limits.shared, limits.turns, limits.faults
    it('starts as many calls a second as may, and never more, through kills', async () => {
      const spans = await play(100);
      expectWithinLimits(spans);
      const length = spans.reduce((sum, [from, to]) => sum + to - from, 0);
      const started = endpoint.calls.filter(({ arrivedAt }) =>
        spans.some(([from, to]) => arrivedAt >= from && arrivedAt < to),
      ).length;
      const rate = started / (length / limiterWindow(LIMITER));
      process.stdout.write(`    ${name}: ${rate.toFixed(1)} starts a window on average\n`);
      expect(rate).to.be.at.least(used * LIMITER.max);
    }).timeout(120_000 + SECONDS * 1500);
  });
}
