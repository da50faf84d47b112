import { expect } from 'chai';
import { RedisServer } from '../support/redis/redis-server.ts';
import { lasting } from './support/ledger-endpoint.ts';
import { Play } from './support/play.ts';
import { Replicas } from './support/replicas.ts';
import { Traffic } from './support/traffic.ts';

/** Jobs of a replica that was killed are found in about a second instead of a minute. */
const QUICK = { LOCK_DURATION: '1000', STALLED_INTERVAL: '500' };

/** One replica is killed every second, this many times. */
const KILLS = 15;

describe('kill -9 of a replica every second', () => {
  let store: RedisServer;
  let replicas: Replicas;
  let play: Play;

  before(async () => {
    store = await RedisServer.start();
    replicas = await Replicas.start(4, { STORE_URI: store.uri, ...QUICK });
  });
  afterEach(() => play.end());
  after(async () => {
    await replicas.kill();
    await store.stop();
  });

  it('every accepted job is processed, those of the killed replicas perhaps twice', async () => {
    play = await Play.begin(lasting(200));
    const { client, endpoint, ledger } = play;
    const opts = { concurrency: 20, maxStalledCount: KILLS };
    await client.register(replicas.next, endpoint.origin, opts);
    const traffic = new Traffic(client, replicas, 20);
    await replicas.crashEachSecond(KILLS);
    await traffic.end();
    await client.settle(replicas.next);
    ledger.print({ kills: KILLS, unanswered: ledger.numbers('unanswered').length });
    ledger.expectNothingLost();
    expect(ledger.duplicates.length).to.be.greaterThan(0);
  }).timeout(120_000);
});
