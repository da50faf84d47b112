import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { eventually } from '../support/eventually.ts';
import type { RedisServer } from '../support/redis/redis-server.ts';
import { lasting } from './support/ledger-endpoint.ts';
import { Play } from './support/play.ts';
import { Replicas } from './support/replicas.ts';
import { SentinelStore } from './support/sentinel-store.ts';
import { Traffic } from './support/traffic.ts';
import { WaitingClaims } from './support/waiting-claims.ts';

/** The longest that nobody may add a job, in milliseconds: the sentinels have to agree, and choose. */
const LONGEST_FAILOVER = 20_000;

describe('a failover of Redis Sentinel', () => {
  let store: SentinelStore;
  let replicas: Replicas;
  let play: Play;
  let claims: WaitingClaims;

  afterEach(async () => {
    await claims.end();
    await play.end();
    await replicas.kill();
    await store.stop();
  });

  for (const [name, takeAway] of [
    ['was killed', (master: RedisServer) => master.kill()],
    ['hangs', (master: RedisServer) => Promise.resolve(process.kill(master.pid, 'SIGSTOP'))],
  ] as const) {
    it(`since the master ${name}: adding goes on at the next one, nothing lost, nothing twice`, async () => {
      store = await SentinelStore.start();
      replicas = await Replicas.start(3, store.environment);
      play = await Play.begin(lasting(50));
      const { client, endpoint, ledger } = play;
      await client.register(replicas.next, endpoint.origin, { concurrency: 10 });
      const traffic = new Traffic(client, replicas, 10);
      claims = new WaitingClaims(replicas, 6);
      await sleep(2000);
      await takeAway(store.master);
      const killed = performance.now();
      const accepted = ledger.numbers('accepted').length;
      await eventually(
        'jobs are accepted again',
        () => Promise.resolve(ledger.numbers('accepted').length > accepted + 10),
        LONGEST_FAILOVER,
      );
      const seconds = (performance.now() - killed) / 1000;
      await sleep(2000);
      await traffic.end();
      await client.settle(replicas.next);
      await claims.expectServed();
      const { slowest } = traffic;
      ledger.print({
        refused: ledger.numbers('refused').length,
        'in doubt': ledger.storedThoughRefused.length,
        'away for s': seconds.toFixed(1),
        'slowest answer ms': slowest.toFixed(0),
        'longest time without a call s': (endpoint.longestGap / 1000).toFixed(1),
      });
      expect(ledger.numbers('unanswered')).to.be.empty;
      expect(ledger.numbers('refused')).not.to.be.empty;
      ledger.expectEachOnce();
    }).timeout(90_000);
  }
});
