import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { eventually } from '../support/eventually.ts';
import type { RedisServer } from '../support/redis/redis-server.ts';
import type { ServiceProcess } from '../support/service-process.ts';
import { lasting, OtherAnswer } from './support/ledger-endpoint.ts';
import { startDurableRedis } from './support/outage.ts';
import { Play } from './support/play.ts';
import { Replicas } from './support/replicas.ts';

/** Jobs of a replica that was killed are found in about a second instead of a minute. */
const QUICK = { LOCK_DURATION: '1000', STALLED_INTERVAL: '500' };

/** How far the clocks of the replicas are ahead, in milliseconds. */
const AHEAD = [2000, 0, -2000];

/** One replica is killed every second, this many times. */
const KILLS = 6;

const SCHEDULER = 'often';

const UNFINISHED = ['waiting', 'active', 'delayed', 'prioritized'];

/** What happened to a job of the scheduler. */
interface JobEvent {
  readonly slot: number;
  readonly event: 'active' | 'completed' | 'failed';
}

/** Variables with which a replica goes by another time than its machine. */
function clockAhead(ms: number): Readonly<Record<string, string>> {
  const code = `const { now } = Date; Date.now = () => now() + (${ms});`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}` };
}

/** One line of what was measured: the books of other scenarios are of jobs that somebody adds. */
function print(facts: Readonly<Record<string, number>>): void {
  const words = Object.entries(facts).map(([name, value]) => `${name} ${value}`);
  console.log(`        ${words.join(', ')}`);
}

describe('schedulers on replicas with clocks two seconds apart, kill -9 of one every second', () => {
  let store: RedisServer;
  let replicas: Replicas;
  let play: Play;
  let aheadOf: Map<ServiceProcess, number>;

  const start = async (ahead: number): Promise<void> => {
    aheadOf.set(await replicas.add(clockAhead(ahead)), ahead);
  };

  beforeEach(async () => {
    store = await startDurableRedis();
    replicas = await Replicas.start(0, { STORE_URI: store.uri, ...QUICK });
    aheadOf = new Map();
    await Promise.all(AHEAD.map(start));
    play = await Play.begin(lasting(0));
    const opts = { concurrency: 5, maxStalledCount: KILLS };
    await play.client.register(replicas.next, play.endpoint.origin, opts);
  });
  afterEach(async () => {
    await play.end();
    await replicas.kill();
    await store.stop();
  });

  /** Asks any replica, and another one when that was killed meanwhile. */
  const call = (method: string, action = '', body?: unknown): Promise<void> =>
    eventually(`${method} ${action}`, async () => {
      const path = `/queues/${play.queue}/schedulers/${SCHEDULER}${action}`;
      const answer = await replicas.next.call(method, path, body).catch(() => undefined);
      return answer?.status === 200;
    }).then(() => undefined);

  /** Kills one replica after the other, each followed by one with the same clock, and does something meanwhile. */
  const killing = (meanwhile?: (kill: number) => Promise<void>): Promise<void> =>
    replicas.crashEachSecond(KILLS, {
      meanwhile,
      replace: (killed) => start(aheadOf.get(killed)!),
    });

  /** What happened to the jobs of the scheduler, in order. */
  const history = async (): Promise<JobEvent[]> => {
    const redis = new Redis(store.uri);
    const entries = await redis.xrange(`bull:${play.queue}:events`, '-', '+');
    redis.disconnect();
    return entries.flatMap(([, fields]) => {
      const event = fields[fields.indexOf('event') + 1] as JobEvent['event'];
      const jobId = fields[fields.indexOf('jobId') + 1] ?? '';
      const isTold = ['active', 'completed', 'failed'].includes(event);
      return isTold && jobId.startsWith('repeat:')
        ? [{ slot: Number(jobId.split(':')[2]), event }]
        : [];
    });
  };

  /** Takes the scheduler away, and waits for the jobs that it has made. */
  const end = async (): Promise<void> => {
    await call('DELETE');
    await eventually('its jobs have ended', async () => {
      const { body } = await replicas.next.call('GET', `/queues/${play.queue}`);
      const { counts } = body as { readonly counts: Readonly<Record<string, number>> };
      return UNFINISHED.every((state) => counts[state] === 0);
    });
  };

  it('makes one job a slot, also while it is replaced, paused and run by hand', async () => {
    const every = 200;
    const save = (data: number): Promise<void> =>
      call('PUT', '', {
        repeat: { every },
        job: { name: 'job', data, opts: { removeOnComplete: true } },
      });
    await save(0);
    let paused = 0;
    await killing(async (kill) => {
      await sleep(300);
      await save(kill);
      await call('POST', '/run');
      if (kill % 3 !== 0) return;
      const since = performance.now();
      await call('POST', '/pause');
      await call('POST', '/resume');
      paused += performance.now() - since;
    });
    await end();
    const ended = (await history()).filter(({ event }) => event !== 'active');
    const slots = [...new Set(ended.map(({ slot }) => slot))].sort((one, other) => one - other);
    const [first = 0, last = 0] = [slots[0], slots.at(-1)];
    const all = (last - first) / every + 1;
    print({
      kills: KILLS,
      slots: all,
      skipped: all - slots.length,
      'paused for ms': Math.round(paused),
    });
    expect(ended.length, 'jobs that ended').to.equal(slots.length);
    for (const slot of slots) expect((slot - first) % every).to.equal(0);
    expect(slots.length).to.be.greaterThan(all / 2);
  }).timeout(60_000);

  it('starts none before the one before has ended, when it is to skip', async () => {
    // Longer than the time from one slot to the next, and every second attempt is one of several.
    let calls = 0;
    play.endpoint.work = async () => {
      calls += 1;
      const fails = calls % 2 === 0;
      await sleep(350);
      return fails ? new OtherAnswer(500) : undefined;
    };
    const opts = { attempts: 3, backoff: 100, removeOnComplete: true };
    const job = { name: 'job', data: 0, opts };
    await call('PUT', '', { repeat: { every: 200 }, job, overlap: 'skip' });
    await killing();
    await end();
    const running = new Set<number>();
    const started = new Set<number>();
    let atOnce = 0;
    for (const { slot, event } of await history()) {
      if (event === 'active') running.add(slot);
      else running.delete(slot);
      started.add(slot);
      atOnce = Math.max(atOnce, running.size);
    }
    print({ kills: KILLS, jobs: started.size, calls, 'unfinished at once': atOnce });
    expect(atOnce).to.equal(1);
    expect(started.size).to.be.greaterThan(3);
  }).timeout(60_000);
});
