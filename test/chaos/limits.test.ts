import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { RedisServer } from '../support/redis/redis-server.ts';
import { lasting } from './support/ledger-endpoint.ts';
import { mostWithin } from './support/most-within.ts';
import { Play } from './support/play.ts';
import { Replicas } from './support/replicas.ts';
import { rounds } from '../support/lane.ts';

/**
 * Longest time without a running call while jobs wait, in milliseconds. A machine that runs all tests at once may stop
 * for a second; a slot that stays empty does so for five, until the next look at the queue.
 */
const LONGEST_GAP = 2500;

/** How often the worker is replaced under load. */
const CHANGES = rounds(15, 6);

describe('concurrency and rate over three replicas', () => {
  let store: RedisServer;
  let replicas: Replicas;
  let play: Play;

  before(async function () {
    this.timeout(60_000);
    store = await RedisServer.start();
    replicas = await Replicas.start(3, { STORE_URI: store.uri });
  });
  afterEach(() => play.end());
  after(async () => {
    await replicas.kill();
    await store.stop();
  });

  it('four calls at once: never more, and never less for long', async () => {
    play = await Play.begin(lasting(20));
    const { client, endpoint, ledger } = play;
    await client.addAccepted(replicas.next, rounds(800, 300));
    await client.register(replicas.next, endpoint.origin, { concurrency: 4 });
    await client.settle(replicas.next);
    const { mostAtOnce, longestGap } = endpoint;
    ledger.print({ 'most at once': mostAtOnce, 'longest gap ms': longestGap.toFixed(0) });
    expect(mostAtOnce).to.equal(4);
    expect(longestGap).to.be.below(LONGEST_GAP);
    ledger.expectEachOnce();
  }).timeout(60_000);

  it('replacing the worker under load neither doubles the calls nor leaves a gap', async () => {
    play = await Play.begin(lasting(50));
    const { client, endpoint, ledger } = play;
    await client.addAccepted(replicas.next, 25 * CHANGES);
    const paths = new Map<string, number>();
    endpoint.onCall(({ path }) => paths.set(path, (paths.get(path) ?? 0) + 1));
    for (let round = 0; round < CHANGES; round += 1) {
      const url = `${endpoint.origin}/round-${round}`;
      await client.register(replicas.next, url, { concurrency: 4 });
      await sleep(200);
    }
    await client.settle(replicas.next);
    const { mostAtOnce, longestGap } = endpoint;
    ledger.print({ 'most at once': mostAtOnce, 'longest gap ms': longestGap.toFixed(0) });
    expect(mostAtOnce).to.equal(4);
    expect(longestGap).to.be.below(LONGEST_GAP);
    expect(paths.size, 'settings that calls were made under').to.equal(CHANGES);
    ledger.expectEachOnce();
  }).timeout(60_000);

  // holds: bounds.limiter-window
  it('twenty calls in half a second: never more in any such time', async () => {
    play = await Play.begin(lasting(5));
    const { client, endpoint, ledger } = play;
    const [max, duration] = [20, 500];
    const calls = rounds(200, 80);
    await client.addAccepted(replicas.next, calls);
    const opts = { concurrency: 50, limiter: { max, duration } };
    await client.register(replicas.next, endpoint.origin, opts);
    await client.settle(replicas.next);
    const times = await starts(store, play.queue);
    // The store reports whole milliseconds.
    const most = mostWithin(times, duration - 1);
    const seconds = (times.at(-1)! - times[0]!) / 1000;
    ledger.print({ [`most in ${duration} ms`]: most, seconds: seconds.toFixed(1) });
    expect(times).to.have.lengthOf(calls);
    expect(most).to.be.at.most(max);
    expect(seconds).to.be.at.least((calls / max - 1) * (duration / 1000) * 0.95);
    ledger.expectEachOnce();
  }).timeout(60_000);

  it('a job that was delayed while all places were taken: called when it falls due', async () => {
    play = await Play.begin(lasting(300));
    const { client, endpoint, ledger } = play;
    await client.register(replicas.next, endpoint.origin, { concurrency: 4 });
    await client.addAccepted(replicas.next, 8);
    const delay = 1000;
    const added = performance.now();
    const delayed = await client.addWith(replicas.next, { delay });
    const late = new Promise<number>((resolve) => {
      endpoint.onCall(({ number, at }) => {
        if (number === delayed) resolve(at - added - delay);
      });
    });
    await client.settle(replicas.next);
    ledger.print({ 'late by ms': (await late).toFixed(0) });
    expect(await late).to.be.within(0, LONGEST_GAP);
    ledger.expectEachOnce();
  }).timeout(60_000);
});

/** When the attempts of a queue started, in order, by the store's own clock (epoch ms). */
async function starts(store: RedisServer, queue: string): Promise<readonly number[]> {
  const redis = new Redis(store.uri);
  const events = await redis.xrange(`bull:${queue}:events`, '-', '+');
  redis.disconnect();
  return events
    .filter(([, fields]) => fields[fields.indexOf('event') + 1] === 'active')
    .map(([id]) => Number.parseInt(id));
}
