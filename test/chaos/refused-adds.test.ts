import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { PostgresDatabase } from '../../src/adapters/outbound/postgres/driver/postgres-database.ts';
import type { PostgresReplica } from '../../src/adapters/outbound/postgres/postgres-replica.ts';
import { isStoreUnavailable } from '../../src/domain/errors.ts';
import { jobOf, repeatable, uniqueQueue } from '../contracts/queue-steps.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { openReplica } from '../support/postgres/open-replica.ts';
import { PostgresServer } from '../support/postgres/postgres-server.ts';
import { testDatabase } from '../support/postgres/test-database.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { rounds } from '../support/lane.ts';

/** `TRIES=10000 npm run test:file -- test/chaos/refused-adds.test.ts` for more of them, `SEED` for others. */
const TRIES = Number(process.env['TRIES'] ?? rounds(600, 200));
const SEED = Number(process.env['SEED'] ?? 60);

/** How many clients add at once. */
const CLIENTS = 8;

/** How many adds there are to a kill of the server. */
const TRIES_OF_SERVER = rounds(300, 100);

type Outcome = 'added' | 'refused' | 'unknown';

describe('adds while backends and the server of PostgreSQL are killed', function () {
  this.timeout(60_000 + TRIES * 100);

  const queue = uniqueQueue();
  const random = seededRandom(SEED);
  const outcomes = new Map<number, Outcome>();
  let server: PostgresServer;
  let database: PostgresDatabase;
  let replicas: readonly [PostgresReplica, PostgresReplica];

  before(async () => {
    server = await PostgresServer.start({ fsync: 'on' });
    database = testDatabase(server.uri);
    const open = (instance: string) =>
      openReplica({ uri: server.uri, schema: 'jobgate', clock: new FakeClock(), instance });
    replicas = [await open('host:1'), await open('host:2')];
  });

  after(async () => {
    await Promise.all(replicas.map(({ store }) => store.stop()));
    await database.close();
    await server.stop();
  });

  /** Several jobs, of which either all are stored or none. */
  function addOnce({ queues }: PostgresReplica, number: number) {
    const jobs = ['a', 'b', 'c'].map((part) => jobOf({ jobId: `${number}-${part}` }));
    return queues.addOnce(queue, repeatable(jobs), { key: `key-${number}`, body: '' });
  }

  async function outcomeOf(number: number): Promise<Outcome> {
    try {
      const { kind } = await addOnce(replicas[number % 2 === 0 ? 0 : 1], number);
      expect(kind).to.equal('added');
      return 'added';
    } catch (error) {
      if (!isStoreUnavailable(error)) throw error;
      return error.mayBeStored ? 'unknown' : 'refused';
    }
  }

  async function addAll(): Promise<void> {
    let next = 0;
    const client = async (): Promise<void> => {
      while (next < TRIES) {
        next += 1;
        const number = next;
        outcomes.set(number, await outcomeOf(number));
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, client));
  }

  /** Of those that commit, if there are any. */
  function killBackend(): Promise<unknown> {
    return database.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE application_name = 'jobgate test' AND pid <> pg_backend_pid() AND datname IS NOT NULL
       ORDER BY query = 'COMMIT' AND state = 'active' DESC, random() LIMIT 1`,
    );
  }

  async function killUntil(adding: Promise<void>): Promise<void> {
    const state = { isOver: false };
    const over = adding.finally(() => (state.isOver = true));
    let serverKills = 0;
    while (!state.isOver) {
      await sleep(random() * 40);
      // Its own connection may have been lost with the server.
      await killBackend().catch(() => undefined);
      if (outcomes.size < (serverKills + 0.5) * TRIES_OF_SERVER) continue;
      serverKills += 1;
      await server.kill();
      // Longer than callers wait, for every other one.
      await sleep(serverKills % 2 === 0 ? 0 : 2500);
      await server.restart();
    }
    await over;
  }

  // holds: store.not-stored
  it(`stores nothing of ${TRIES} that is refused, all of what is added, and the rest whole or not at all`, async () => {
    await killUntil(addAll());
    const [one, other] = replicas;
    const partsOf = async (number: number): Promise<number> => {
      const found = await Promise.all(
        ['a', 'b', 'c'].map((part) => other.queues.find(queue, `${number}-${part}`)),
      );
      return found.filter((job) => job !== undefined).length;
    };
    const stored = { added: [3], refused: [0], unknown: [0, 3] };
    const counts = { added: 0, refused: 0, unknown: 0 };
    for (const [number, outcome] of outcomes) {
      counts[outcome] += 1;
      expect(await partsOf(number), `${outcome} ${number}`).to.be.oneOf(stored[outcome]);
    }
    console.log('    ', counts);
    expect(counts.added).to.be.above(TRIES / 4);
    expect(counts.refused + counts.unknown).to.be.above(0);
    for (const [number, outcome] of outcomes) {
      if (outcome === 'added') continue;
      const wasStored = (await partsOf(number)) > 0;
      const { kind } = await addOnce(one, number);
      expect(kind, `${outcome} ${number}`).to.equal(wasStored ? 'repeated' : 'added');
      expect(await partsOf(number)).to.equal(3);
    }
  });
});
