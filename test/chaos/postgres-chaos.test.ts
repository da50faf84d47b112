import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { PostgresDatabase } from '../../src/adapters/outbound/postgres/driver/postgres-database.ts';
import { findPgBouncer, PgBouncer } from '../support/postgres/pg-bouncer.ts';
import { PostgresServer } from '../support/postgres/postgres-server.ts';
import { testDatabase } from '../support/postgres/test-database.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { lasting } from './support/ledger-endpoint.ts';
import { Play } from './support/play.ts';
import { PostgresScene } from './support/postgres/postgres-scene.ts';
import { SqlTraffic } from './support/postgres/sql-traffic.ts';
import { Replicas } from './support/replicas.ts';
import { isSlowLane, rounds } from '../support/lane.ts';

/** `FAULTS=100 npm run test:file -- …` for more of them, `SEED` for others. */
const FAULTS = Number(process.env['FAULTS'] ?? rounds(3, 1));
const SEED = Number(process.env['SEED'] ?? 48);

/** Jobs of a replica that was killed are found in about a second instead of a minute. */
const QUICK = { LOCK_DURATION: '2000', STALLED_INTERVAL: '500' };

/** Longer (ms) than the server keeps a transaction in which nothing happens. */
const STOPPED = 12_000;

/** How many connections the server has. */
const CONNECTIONS = 40;

describe('replicas on PostgreSQL', function () {
  this.timeout(120_000 + FAULTS * 10_000);

  let server: PostgresServer;
  let database: PostgresDatabase;
  let replicas: Replicas | undefined;
  let scene: PostgresScene | undefined;
  const random = seededRandom(SEED);

  beforeEach(async () => {
    server = await PostgresServer.start({ fsync: 'on', max_connections: String(CONNECTIONS) });
    database = testDatabase(server.uri, CONNECTIONS);
  });

  afterEach(async () => {
    await scene?.end();
    await replicas?.kill();
    scene = undefined;
    replicas = undefined;
    await database.close();
    await server.stop();
  });

  async function begin(
    variables: Readonly<Record<string, string>> = {},
  ): Promise<{ readonly running: Replicas; readonly playing: PostgresScene }> {
    const running = await Replicas.start(2, { STORE_URI: server.uri, ...QUICK, ...variables });
    replicas = running;
    const playing = await PostgresScene.begin(running);
    scene = playing;
    await sleep(500);
    return { running, playing };
  }

  async function terminateOne(): Promise<void> {
    await database.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE application_name LIKE 'jobgate %' AND application_name <> 'jobgate test'
       ORDER BY random() LIMIT 1`,
    );
  }

  // Replicas are killed beside add_jobs below, too.
  if (isSlowLane) {
    it('lose nothing when they are killed at any moment', async () => {
      const { running, playing } = await begin();
      for (let kill = 0; kill < FAULTS; kill += 1) {
        await sleep(random() * 1000);
        const [oldest] = running.running;
        if (oldest !== undefined) await running.crash(oldest);
        await running.add();
      }
      await playing.prove('locks of calls', { kills: FAULTS });
    });
  }

  it('lose nothing and call nothing twice when the server is killed', async () => {
    const { playing } = await begin();
    for (let kill = 0; kill < FAULTS; kill += 1) {
      await sleep(random() * 1500);
      await server.kill();
      await server.restart();
    }
    await playing.prove('no locks', { kills: FAULTS });
  });

  // Backends are terminated through PgBouncer and beside add_jobs below.
  if (isSlowLane) {
    it('lose nothing and call nothing twice when backends are terminated', async () => {
      const { playing } = await begin();
      const terminations = FAULTS * 15;
      for (let termination = 0; termination < terminations; termination += 1) {
        await sleep(random() * 100);
        await terminateOne();
      }
      await playing.prove('no locks', { terminations });
    });

    it('lose nothing and call nothing twice while others use all connections', async () => {
      const { playing } = await begin({ STORE_POOL: '4' });
      for (let fault = 0; fault < Math.ceil(FAULTS / 3); fault += 1) {
        await database.query('SELECT 1');
        const taken = new PostgresDatabase({
          uri: server.uri,
          directUri: server.uri,
          pool: CONNECTIONS,
          applicationName: 'others',
        });
        // Some of these are refused, as the replicas have theirs. What these lose then, they do not get again.
        const taking = Array.from({ length: CONNECTIONS }, () =>
          taken.query('SELECT pg_sleep(3)').catch(() => undefined),
        );
        await sleep(500);
        for (let lost = 0; lost < 4; lost += 1) await terminateOne();
        await Promise.all(taking);
        await taken.close();
      }
      await playing.prove('no locks');
    });
  }

  const ways = [
    ['without a way beside it', false],
    ['and beside it for LISTEN', true],
  ] as const;
  for (const [name, isDirect] of ways.slice(0, rounds(2, 1))) {
    it(`lose nothing and call nothing twice through PgBouncer in transaction mode, ${name}`, async () => {
      const bouncer = await PgBouncer.start(await findPgBouncer(), server.port);
      try {
        const direct = { STORE_DIRECT_URI: server.uri };
        const { playing } = await begin({ STORE_URI: bouncer.uri, ...(isDirect && direct) });
        for (let fault = 0; fault < FAULTS; fault += 1) {
          await sleep(random() * 1000);
          await terminateOne();
        }
        await playing.prove('no locks');
      } finally {
        await scene?.end();
        scene = undefined;
        await replicas?.kill();
        await bouncer.stop();
      }
    });
  }

  it('take each job of add_jobs once, and none of a transaction that was rolled back, whatever is killed', async () => {
    const running = await Replicas.start(2, { STORE_URI: server.uri, ...QUICK });
    replicas = running;
    const { client, endpoint, ledger, queue } = await Play.begin(lasting(5));
    await client.register(running.next, endpoint.origin, { maxStalledCount: 1000 });
    const traffic = new SqlTraffic(server.uri, queue, ledger);
    try {
      for (let fault = 0; fault < Math.ceil(FAULTS / 3); fault += 1) {
        for (let termination = 0; termination < 5; termination += 1) {
          await sleep(random() * 200);
          await terminateOne();
        }
        const [oldest] = running.running;
        if (oldest !== undefined) await running.crash(oldest);
        await running.add();
        await server.kill();
        await server.restart();
        await sleep(1000);
      }
      await traffic.end();
      await client.settle(running.next);
      const [refused, unanswered] = [ledger.numbers('refused'), ledger.numbers('unanswered')];
      ledger.print({ 'rolled back': refused.length, unanswered: unanswered.length });
      ledger.expectNothingLost();
      expect(ledger.storedThoughRefused, 'stored though rolled back').to.deep.equal([]);
    } finally {
      await traffic.end();
      await client.close();
      await endpoint.close();
    }
  });

  if (isSlowLane) {
    it('lose nothing when one is stopped for longer than the server keeps its transaction', async () => {
      const { running, playing } = await begin();
      for (let stop = 0; stop < Math.ceil(FAULTS / 3); stop += 1) {
        const stopped = running.running[stop % 2]!;
        stopped.signal('SIGSTOP');
        await sleep(STOPPED);
        stopped.signal('SIGCONT');
        await sleep(1000);
      }
      await playing.prove('all locks');
    });
  }
});
