import { expect } from 'chai';
import {
  DatabaseError,
  type Session,
} from '../../../src/adapters/outbound/postgres/driver/database.ts';
import { SharedLog } from '../../../src/adapters/outbound/postgres/log/shared-log.ts';
import type { PostgresDatabase } from '../../../src/adapters/outbound/postgres/driver/postgres-database.ts';
import type { PostgresReplica } from '../../../src/adapters/outbound/postgres/postgres-replica.ts';
import { migrate } from '../../../src/adapters/outbound/postgres/schema/migrate.ts';
import { knownMigrations } from '../../../src/adapters/outbound/postgres/schema/migrations.ts';
import { isStoreUnavailable } from '../../../src/domain/errors.ts';
import { addOne, uniqueQueue } from '../../contracts/queue-steps.ts';
import { CuttingProxy } from '../../support/cutting-proxy.ts';
import { eventually } from '../../support/eventually.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { openReplica } from '../../support/postgres/open-replica.ts';
import { rejection } from '../../support/rejection.ts';
import { testDatabase } from '../../support/postgres/test-database.ts';
import { freshSchema } from '../../support/postgres/test-postgres.ts';

describe('locks of others on the server of a store', () => {
  let uri: string;
  let schema: string;
  let database: PostgresDatabase;
  const replicas: PostgresReplica[] = [];

  beforeEach(async () => {
    ({ uri, schema } = await freshSchema());
    database = testDatabase(uri);
  });

  afterEach(async () => {
    await Promise.all(replicas.splice(0).map(({ store }) => store.stop()));
    await database.close();
  });

  async function opened(): Promise<PostgresReplica> {
    const replica = await openReplica({ uri, schema, clock: new FakeClock() });
    replicas.push(replica);
    return replica;
  }

  function formerLock(session: Session): Promise<unknown> {
    return session.query('SELECT pg_advisory_xact_lock(hashtext($1), 1)', [`jobgate ${schema}`]);
  }

  // holds: store.postgres-locks
  it('delay neither rounds nor starts when their role has no rights', async () => {
    await migrate(database, schema, knownMigrations().slice(0, -1));
    const role = `${schema}_guest`;
    await database.query(`CREATE ROLE ${role} LOGIN PASSWORD 'secret'`);
    const guest = testDatabase(uri.replace(/\/\/[^@]*@/, `//${role}:secret@`));
    try {
      await guest.session(async (session) => {
        await session.query('BEGIN');
        await formerLock(session);
        await session.query('SELECT pg_advisory_lock(hashtextextended($1, 0))', [
          `jobgate migrations of ${schema}`,
        ]);
        for (const name of ['pg_class', 'pg_namespace', 'pg_proc', 'pg_type']) {
          await session.query(`LOCK TABLE pg_catalog.${name} IN ACCESS SHARE MODE`);
        }
        const replica = await opened();
        const queue = uniqueQueue();
        await addOne(replica.queues, queue);
        expect((await (await opened()).queues.summary(queue)).counts.waiting).to.equal(1);
        await session.query('ROLLBACK');
        await session.query('SELECT pg_advisory_unlock_all()');
      });
    } finally {
      await guest.close();
      await database.query(`DROP ROLE ${role}`);
    }
  });

  // holds: store.postgres-former-lock
  it('let rounds of the version before and of this one follow each other', async () => {
    const replica = await opened();
    const queue = uniqueQueue();
    await addOne(replica.queues, queue);
    let adding: Promise<unknown> | undefined;
    const before = `SELECT max(round)::integer AS last FROM ${schema}.log`;
    await database.session(async (former) => {
      await former.query('BEGIN');
      await formerLock(former);
      const [{ last } = { last: 0 }] = await former.query<{ last: number }>(before);
      adding = addOne(replica.queues, queue);
      await eventually('the round that waits', async () => {
        const waiting = await database.query(
          `SELECT FROM pg_stat_activity WHERE query LIKE '%${schema}%take_former_lock%' AND state = 'active'
             AND wait_event = 'advisory'`,
        );
        return waiting.length > 0;
      });
      await former.query(
        `INSERT INTO ${schema}.log (round, replica, changes) VALUES ($1, 'former', '[]')`,
        [last + 1],
      );
      await former.query('COMMIT');
    });
    await adding;
    const rounds = await database.query<{ replica: string }>(
      `SELECT replica FROM ${schema}.log ORDER BY round DESC LIMIT 2`,
    );
    expect(rounds.map(({ replica: name }) => name)).to.deep.equal(['host:1', 'former']);
    expect((await replica.queues.summary(queue)).counts.waiting).to.equal(2);
  });

  async function lastRound(): Promise<number> {
    const [row] = await database.query<{ last: number }>(
      `SELECT coalesce(max(round), 0)::integer AS last FROM ${schema}.log`,
    );
    return row?.last ?? 0;
  }

  /** Resolves once a replica adds a job. */
  async function goesOn({ queues }: PostgresReplica): Promise<void> {
    const queue = uniqueQueue();
    await eventually('another replica goes on', () =>
      addOne(queues, queue).catch((cause: unknown) => {
        if (!isStoreUnavailable(cause)) throw cause;
        return undefined;
      }),
    );
    expect((await queues.summary(queue)).counts.waiting).to.be.at.least(1);
  }

  // holds: store.postgres-stopped
  it('are lost with the round of a replica that stands still, and others go on', async () => {
    const replica = await opened();
    const round = await lastRound();
    const log = new SharedLog(database, schema);
    const error = await rejection(
      database.session(async (session) => {
        await log.begin(session, round);
        await goesOn(replica);
        await session.query('COMMIT');
      }),
    );
    expect(error).to.be.instanceOf(DatabaseError);
  }).timeout(30_000);

  // holds: store.postgres-stopped
  it('are lost with the statement in the midst of which a replica stands still, and others go on', async () => {
    const replica = await opened();
    const address = new URL(uri);
    const proxy = await CuttingProxy.start(Number(address.port));
    address.host = `127.0.0.1:${proxy.port}`;
    const stopped = await openReplica({ uri: address.href, schema, clock: new FakeClock() });
    try {
      const frozen = proxy.freezeAt(`INSERT INTO "${schema}".log`);
      const lost = rejection(addOne(stopped.queues, uniqueQueue()));
      await frozen;
      await goesOn(replica);
      expect(await lost).to.include({ code: 'store-unavailable' });
    } finally {
      await Promise.all([proxy.close(), stopped.store.stop()]);
    }
  }).timeout(30_000);
});
