import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { eventually } from '../support/eventually.ts';
import type { RedisServer } from '../support/redis/redis-server.ts';
import type { ServiceProcess } from '../support/service-process.ts';
import { lasting, notNow, type LedgerCall } from './support/ledger-endpoint.ts';
import { startDurableRedis } from './support/outage.ts';
import { Play } from './support/play.ts';
import { Replicas } from './support/replicas.ts';

const CONCURRENCY = 100;

const JOBS = 600;

/** How soon every replica goes on when a hold is over, in milliseconds, with some for a busy machine. */
const PROMISED = 1500;

/** How long a call takes that goes well, in milliseconds. */
const CALL = 50;

/** Jobs of a replica that was killed are found in about a second instead of a minute. */
const QUICK = { LOCK_DURATION: '1000', STALLED_INTERVAL: '500' };

interface QueueAnswer {
  readonly counts: Readonly<Record<string, number>>;
  readonly heldUntil: number | null;
}

describe('an endpoint that asks to be called later', () => {
  let store: RedisServer;
  let replicas: Replicas;
  let play: Play;
  let calls: LedgerCall[];

  beforeEach(async () => {
    store = await startDurableRedis();
    replicas = await Replicas.start(3, { STORE_URI: store.uri, ...QUICK });
    play = await Play.begin(lasting(CALL));
    calls = [];
    play.endpoint.onCall((call) => calls.push(call));
  });
  afterEach(async () => {
    await play.end();
    await replicas.kill();
    await store.stop();
  });

  const readQueue = async (service: ServiceProcess): Promise<QueueAnswer> => {
    const { body } = await service.call('GET', `/queues/${play.queue}`);
    return body as QueueAnswer;
  };

  /** Registers a worker and adds jobs; resolves once as many calls run as may. */
  const begin = async (opts: object = {}): Promise<void> => {
    const { client, endpoint } = play;
    await client.register(replicas.next, endpoint.origin, { concurrency: CONCURRENCY, ...opts });
    // Each of them has to be there before jobs are.
    for (const service of replicas.running) await service.logged('Worker started');
    await client.addAccepted(replicas.next, JOBS);
    await eventually('as many calls run as may', () =>
      Promise.resolve(play.endpoint.running === CONCURRENCY),
    );
  };

  /** When (epoch ms) each replica began its first attempt after a moment, by the name of the replica. */
  const firstStarts = async (after: number): Promise<ReadonlyMap<string, number>> => {
    const starts = new Map<string, number>();
    const service = replicas.next;
    for (let id = 1; id <= JOBS; id += 1) {
      const { body } = await service.call('GET', `/queues/${play.queue}/jobs/${id}/attempts`);
      const { attempts } = body as {
        attempts: readonly { readonly replica: string; readonly startedAt: number }[];
      };
      for (const { replica, startedAt } of attempts) {
        if (startedAt < after) continue;
        starts.set(replica, Math.min(startedAt, starts.get(replica) ?? Infinity));
      }
    }
    return starts;
  };

  /** Fails the test unless the store gave the jobs away in their order since then, but for those that stalled. */
  const expectInOrder = async (since: number): Promise<void> => {
    const redis = new Redis(store.uri);
    const entries = await redis.xrange(`bull:${play.queue}:events`, since, '+');
    redis.disconnect();
    const events = entries.map(([, fields]) => ({
      event: fields[fields.indexOf('event') + 1],
      id: fields[fields.indexOf('jobId') + 1],
    }));
    const stalled = new Set(events.flatMap(({ event, id }) => (event === 'stalled' ? [id] : [])));
    const started = events.flatMap(({ event, id }) => (event === 'active' ? [Number(id)] : []));
    const inOrder = started.filter((id) => !stalled.has(String(id)));
    expect(inOrder.length).to.be.greaterThan(JOBS / 2);
    expect(inOrder).to.deep.equal(inOrder.toSorted((one, other) => one - other));
  };

  const expectNoneFailed = async (): Promise<void> => {
    const { counts } = await readQueue(replicas.next);
    expect(counts).to.include({ completed: JOBS, failed: 0 });
  };

  it('is called no more than it is already, and then at once by all of three replicas', async () => {
    const { endpoint, ledger, client } = play;
    const first = 57;
    let answer = (): void => undefined;
    const answered = new Promise<void>((resolve) => (answer = resolve));
    // All of them wait until one is refused; the others are refused a little later, in another order.
    endpoint.work = async ({ number }) => {
      await answered;
      if (number !== first) await sleep((number * 37) % 200);
      return notNow(4);
    };
    await begin();
    const running = calls.length;
    answer();
    await eventually('all calls are answered', () => Promise.resolve(endpoint.running === 0));
    await sleep(500);
    const { heldUntil, counts } = await readQueue(replicas.next);
    expect(counts).to.include({ active: 0, waiting: JOBS, failed: 0 });
    endpoint.work = lasting(CALL);
    const held = heldUntil! - Date.now();
    expect(held).to.be.greaterThan(2000);
    await sleep(held - 200);
    const during = calls.length - running;
    expect(during, 'calls during the hold').to.equal(0);
    await client.settle(replicas.next);
    const starts = await firstStarts(heldUntil!);
    const waits = [...starts.values()].map((start) => start - heldUntil!);
    ledger.print({ running, during, 'slowest replica went on after ms': Math.max(...waits) });
    ledger.expectNothingLost();
    await expectNoneFailed();
    expect(starts.size, 'replicas that went on').to.equal(3);
    expect(Math.max(...waits)).to.be.below(PROMISED);
    await expectInOrder(heldUntil!);
    expect(calls).to.have.lengthOf(running + JOBS);
  }).timeout(60_000);

  it('while replicas are killed and stopped, and the store is killed and restarted', async () => {
    const { endpoint, ledger, client } = play;
    let isOver = false;
    // Every second call is refused, and the others go on until their replicas are gone.
    endpoint.work = async ({ number }) => {
      if (number % 2 === 0) return notNow(10);
      while (!isOver) await sleep(50);
      return undefined;
    };
    await client.register(replicas.next, endpoint.origin, {
      concurrency: CONCURRENCY,
      maxStalledCount: 5,
    });
    for (const service of replicas.running) await service.logged('Worker started');
    await client.addAccepted(replicas.next, JOBS);
    const { heldUntil } = await eventually('the queue is held', async () => {
      const queue = await readQueue(replicas.next);
      return queue.heldUntil !== null && queue;
    });
    const began = Date.now();
    await sleep(1000);
    const running = calls.length;
    const [killed, stopped] = replicas.running;
    await replicas.crash(killed!);
    stopped!.signal('SIGSTOP');
    replicas.drop(stopped!);
    await replicas.add();
    await sleep(1500);
    await store.kill();
    await sleep(500);
    await store.restart();
    stopped!.signal('SIGCONT');
    await replicas.ready();
    isOver = true;
    const again = await readQueue(replicas.next);
    expect(again.heldUntil).to.be.at.least(heldUntil!);
    const left = again.heldUntil! - Date.now();
    expect(left).to.be.greaterThan(500);
    await sleep(left - 200);
    const during = calls.length - running;
    expect(during, 'calls during the hold').to.equal(0);
    endpoint.work = lasting(CALL);
    await client.settle(replicas.next);
    await stopped!.kill();
    ledger.print({ running, during });
    ledger.expectNothingLost();
    await expectNoneFailed();
    await expectInOrder(began);
  }).timeout(90_000);

  it('goes on at once on all of three replicas when the hold is ended', async () => {
    const { endpoint, ledger, client } = play;
    let finish = (): void => undefined;
    const finished = new Promise<void>((resolve) => (finish = resolve));
    endpoint.work = () => finished;
    await begin();
    const hold = `/queues/${play.queue}/hold`;
    expect((await replicas.next.call('POST', hold, { for: 600_000 })).status).to.equal(200);
    finish();
    endpoint.work = lasting(CALL);
    await eventually('no call runs', () => Promise.resolve(endpoint.running === 0));
    await sleep(500);
    expect(calls).to.have.lengthOf(CONCURRENCY);
    const ended = Date.now();
    expect((await replicas.next.call('DELETE', hold)).status).to.equal(200);
    await client.settle(replicas.next);
    const starts = await firstStarts(ended);
    const waits = [...starts.values()].map((start) => start - ended);
    ledger.print({ 'slowest replica went on after ms': Math.max(...waits) });
    ledger.expectEachOnce();
    expect(starts.size, 'replicas that went on').to.equal(3);
    expect(Math.max(...waits)).to.be.below(PROMISED);
    await expectInOrder(ended);
  }).timeout(60_000);
});
