import { expect } from 'chai';
import { PostgresDatabase } from '../../../src/adapters/outbound/postgres/driver/postgres-database.ts';
import type { PostgresReplica } from '../../../src/adapters/outbound/postgres/postgres-replica.ts';
import { SystemClock } from '../../../src/infrastructure/system-clock.ts';
import { addOne, uniqueQueue } from '../../contracts/queue-steps.ts';
import { eventually } from '../../support/eventually.ts';
import { openReplica } from '../../support/postgres/open-replica.ts';
import { PostgresServer } from '../../support/postgres/postgres-server.ts';
import { testDatabase } from '../../support/postgres/test-database.ts';
import { freshSchema } from '../../support/postgres/test-postgres.ts';

describe('the facts about the database of the store', () => {
  let uri: string;
  let schema: string;
  let replica: PostgresReplica;
  let shop: PostgresDatabase;

  before(async () => {
    ({ uri, schema } = await freshSchema());
    replica = await openReplica({ uri, schema, clock: new SystemClock() });
    shop = new PostgresDatabase({ uri, directUri: uri, pool: 1, applicationName: 'shop' });
  });

  after(async () => {
    await shop.close();
    await replica.store.stop();
  });

  const facts = async () => {
    const { database } = (await replica.system.store()).facts;
    if (database === null) throw new Error('It is on PostgreSQL');
    return database;
  };

  // holds: system.database
  it('name the program whose transaction keeps dead rows, and for how long it has', async () => {
    await shop.session(async (session) => {
      await session.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
      await session.query('SELECT 1');
      const { oldestSnapshot } = await facts();
      expect(oldestSnapshot?.application).to.equal('shop');
      expect(oldestSnapshot?.ageMs).to.be.within(0, 60_000);
      await addOne(replica.queues, uniqueQueue());
      await addOne(replica.queues, uniqueQueue());
      expect((await facts()).oldestSnapshot?.transactions).to.be.greaterThan(1);
      await session.query('COMMIT');
    });
    expect((await facts()).oldestSnapshot?.application).to.not.equal('shop');
  });

  it('count a transaction that writes, too', async () => {
    await shop.session(async (session) => {
      await session.query('BEGIN');
      await session.query('SELECT pg_current_xact_id()');
      expect((await facts()).oldestSnapshot?.application).to.equal('shop');
      await session.query('COMMIT');
    });
  });

  it('have the dead rows of each table, the connections, and whether notices arrive', async () => {
    await addOne(replica.queues, uniqueQueue());
    const { deadRows, connections } = await facts();
    for (const table of ['log', 'records', 'inbox'] as const) {
      expect(deadRows[table]).to.be.a('number');
    }
    const [row] = await shop.query<{ readonly max_connections: string }>('SHOW max_connections');
    expect(connections.most).to.equal(Number(row?.max_connections));
    expect(connections.used).to.be.within(2, connections.most);
    await eventually('notices arrive', async () => (await facts()).isNotified);
  });

  it('leave out the own workers of the server, which run as no role', async () => {
    const slowVacuum = { autovacuum_naptime: '1s', autovacuum_vacuum_cost_delay: '100ms' };
    const server = await PostgresServer.start({ ...slowVacuum, autovacuum_vacuum_cost_limit: '1' });
    const owner = testDatabase(server.uri);
    const own = await openReplica({ uri: server.uri, schema: 'own', clock: new SystemClock() });
    try {
      await owner.query(
        'CREATE TABLE dead AS SELECT n, repeat($1, 500) FROM generate_series(1, 9999) AS n',
        ['x'],
      );
      await owner.query('UPDATE dead SET n = n + 1');
      await eventually('the server vacuums', async () => {
        const workers = `SELECT FROM pg_stat_activity
          WHERE backend_type = 'autovacuum worker' AND datname = 'postgres' AND backend_xmin IS NOT NULL`;
        return (await owner.query(workers)).length > 0;
      });
      expect((await own.system.store()).facts.database?.oldestSnapshot).to.equal(null);
    } finally {
      await own.store.stop();
      await owner.close();
      await server.stop();
    }
  });

  it('leave the age of a transaction out for a role that may not know it', async () => {
    const role = `${schema}_plain`;
    const owner = testDatabase(uri);
    await owner.query(`CREATE ROLE ${role} LOGIN`);
    await owner.query(`GRANT USAGE ON SCHEMA ${schema} TO ${role}`);
    await owner.query(`GRANT ALL ON ALL TABLES IN SCHEMA ${schema} TO ${role}`);
    await owner.query(`GRANT ALL ON ALL SEQUENCES IN SCHEMA ${schema} TO ${role}`);
    const as = new URL(uri);
    as.username = role;
    const plain = await openReplica({ uri: as.href, schema, clock: new SystemClock() });
    try {
      await shop.session(async (session) => {
        await session.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
        await session.query('SELECT 1');
        const { facts: shown } = await plain.system.store();
        const { application, ageMs } = shown.database?.oldestSnapshot ?? {};
        expect({ application, ageMs }).to.deep.equal({ application: 'shop', ageMs: null });
        await session.query('COMMIT');
      });
    } finally {
      await plain.store.stop();
      await owner.query(`DROP OWNED BY ${role}`);
      await owner.query(`DROP ROLE ${role}`);
      await owner.close();
    }
  });
});
