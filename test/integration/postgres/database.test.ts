import { once, EventEmitter } from 'node:events';
import { expect } from 'chai';
import type { PostgresDatabase } from '../../../src/adapters/outbound/postgres/driver/postgres-database.ts';
import { CuttingProxy } from '../../support/cutting-proxy.ts';
import { PostgresServer } from '../../support/postgres/postgres-server.ts';
import { testDatabase } from '../../support/postgres/test-database.ts';
import { testPostgres } from '../../support/postgres/test-postgres.ts';
import { rejection } from '../../support/rejection.ts';

/** How long (ms) a server may take to be made. */
const START_TIMEOUT = 60_000;

describe('a PostgreSQL database', () => {
  let database: PostgresDatabase;
  let other: PostgresDatabase;

  before(async () => {
    const { uri } = await testPostgres();
    database = testDatabase(uri);
    other = testDatabase(uri);
  });

  after(() => Promise.all([database.close(), other.close()]));

  async function connectionOf(run: PostgresDatabase['query']): Promise<number> {
    const [row] = await run<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    return row?.pid ?? 0;
  }

  it('gives a session its own connection, a new one included', async () => {
    const pids = await database.session(async (session) => [
      await connectionOf((text) => session.query(text)),
      await connectionOf((text) => session.query(text)),
      await connectionOf((text) => database.query(text)),
    ]);
    expect(pids[0]).to.equal(pids[1]);
    expect(pids[0]).not.to.equal(pids[2]);
  });

  it('lets those wait that find all connections in use', async () => {
    const numbers = Array.from({ length: 10 }, (_, index) => index);
    const rows = await Promise.all(
      numbers.map((number) =>
        database.session((session) => session.query(`SELECT pg_sleep(0.01), ${number} AS number`)),
      ),
    );
    expect(rows.flat().map((row) => row['number'])).to.deep.equal(numbers);
  });

  it('rolls back what a session has begun when it fails', async () => {
    const failed = database.session(async (session) => {
      await session.script('BEGIN; CREATE TEMPORARY TABLE left_over (); SELECT 1 / 0');
    });
    expect(await rejection(failed)).to.include({ name: 'DatabaseError', state: '22012' });
    const [row] = await database.query(`SELECT to_regclass('left_over') AS left_over`);
    expect(row).to.deep.equal({ left_over: null });
  });

  it('passes on errors that are not of the database', async () => {
    const error = new RangeError('of the caller');
    expect(await rejection(database.session(() => Promise.reject(error)))).to.equal(error);
  });

  for (const moment of ['between statements', 'during a statement']) {
    it(`fails for a session whose backend ends ${moment}, and goes on with another`, async () => {
      const lost = database.session(async (session) => {
        await session.query('BEGIN');
        const pid = await connectionOf((text) => session.query(text));
        const running = moment === 'during a statement' && session.query('SELECT pg_sleep(60)');
        await Promise.all([running, other.query('SELECT pg_terminate_backend($1, 10000)', [pid])]);
        await session.query('SELECT 1');
      });
      expect((await rejection(lost)).name).to.equal('DatabaseError');
      expect(await database.query('SELECT 1 AS one')).to.deep.equal([{ one: 1 }]);
      const rows = await database.session((session) => session.query('SELECT 2 AS two'));
      expect(rows).to.deep.equal([{ two: 2 }]);
    });
  }

  it('ends the connection of a session that takes too long, and goes on with another', async () => {
    const late = database.session((session) => session.query('SELECT pg_sleep(60)'), 100);
    expect((await rejection(late)).name).to.equal('DatabaseError');
    expect(await database.query('SELECT 1 AS one')).to.deep.equal([{ one: 1 }]);
  });

  // holds: store.postgres-replicas
  it('fails all statements of a session whose server takes no more, those that were not sent included', async () => {
    const uri = new URL((await testPostgres()).uri);
    const proxy = await CuttingProxy.start(Number(uri.port));
    const stopped = testDatabase(Object.assign(uri, { host: `127.0.0.1:${proxy.port}` }).href);
    try {
      const failures: Promise<unknown>[] = [];
      const ended = stopped.session(async (session) => {
        const query = (text: string, values?: string[]) => session.query(text, values);
        await query('SELECT 1');
        proxy.freeze();
        const large = query('SELECT length($1)', ['x'.repeat(20_000_000)]);
        failures.push(...[large, query('SELECT 2'), query('SELECT 3')].map(rejection));
        await Promise.all(failures);
      }, 200);
      await ended.catch(() => undefined);
      expect(failures).to.have.lengthOf(3);
      for (const failure of await Promise.all(failures)) {
        expect(failure).to.include({ name: 'DatabaseError', isUnanswered: true });
      }
    } finally {
      await proxy.close();
      await stopped.close();
    }
  }).timeout(20_000);

  it('refuses everything after it is closed', async () => {
    const { uri } = await testPostgres();
    const closed = testDatabase(uri);
    await closed.query('SELECT 1');
    await closed.close();
    expect((await rejection(closed.query('SELECT 1'))).name).to.equal('DatabaseError');
  });

  it('sends and returns arrays of text', async () => {
    const values = ['a"\\,{}', '', 'NULL', null];
    const [row] = await database.query<{ value: string | null }>(
      'SELECT array_to_json($1::text[]) AS value',
      [values],
    );
    expect(JSON.parse(row?.value ?? '')).to.deep.equal(values);
  });
});

describe('a PostgreSQL database whose server restarts', function () {
  this.timeout(START_TIMEOUT);

  it('answers again, and listens again', async () => {
    const server = await PostgresServer.start();
    const database = testDatabase(server.uri);
    const events = new EventEmitter();
    try {
      await database.listen(
        'jobs',
        (payload) => events.emit('notified', payload),
        () => events.emit('listening'),
      );
      const again = once(events, 'listening');
      await server.kill();
      expect((await rejection(database.query('SELECT 1'))).name).to.equal('DatabaseError');
      await server.restart();
      expect(await database.query('SELECT 1 AS one')).to.deep.equal([{ one: 1 }]);
      await again;
      const notified = once(events, 'notified');
      await database.query(`SELECT pg_notify('jobs', 'news')`);
      expect(await notified).to.deep.equal(['news']);
    } finally {
      await database.close();
      await server.stop();
    }
  });
});
