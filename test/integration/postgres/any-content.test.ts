import { expect } from 'chai';
import type { LoggerPort } from '../../../src/application/ports/logger-port.ts';
import type { PostgresDatabase } from '../../../src/adapters/outbound/postgres/driver/postgres-database.ts';
import type { PostgresReplica } from '../../../src/adapters/outbound/postgres/postgres-replica.ts';
import { migrate } from '../../../src/adapters/outbound/postgres/schema/migrate.ts';
import { knownMigrations } from '../../../src/adapters/outbound/postgres/schema/migrations.ts';
import type { NewJob } from '../../../src/domain/jobs/job.ts';
import { JsonText } from '../../../src/domain/values/json.ts';
import { uniqueQueue } from '../../contracts/queue-steps.ts';
import { eventually } from '../../support/eventually.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { queueNamed } from '../../support/queue-named.ts';
import { openReplica } from '../../support/postgres/open-replica.ts';
import { testDatabase } from '../../support/postgres/test-database.ts';
import { freshSchema } from '../../support/postgres/test-postgres.ts';
import { rejection } from '../../support/rejection.ts';
import { silentLogger } from '../../support/silent-logger.ts';

/** The migrations of the release that read rounds with functions of PostgreSQL. */
const OF_THE_RELEASE_BEFORE = 2;

/** A job as earlier versions accepted it: functions of PostgreSQL refuse its name in JSON. */
const POISONED: NewJob = {
  name: 'a\0\0b \ud83d","value":',
  data: new JsonText(String.raw`{"a\u0000":"\\u0000 \ud83d","b":1e400,"b":2}`),
  opts: { attempts: 1, delay: 0 },
};

describe('rounds on PostgreSQL with content that its functions refuse', () => {
  let database: PostgresDatabase;
  let schema: string;
  let uri: string;
  let open: PostgresReplica[];

  beforeEach(async () => {
    ({ uri, schema } = await freshSchema());
    database = testDatabase(uri);
    open = [];
  });

  afterEach(async () => {
    for (const { store } of open) await store.stop();
    await database.close();
  });

  async function replica(logger: LoggerPort = silentLogger): Promise<PostgresReplica> {
    const made = await openReplica({ uri, schema, clock: new FakeClock(), logger });
    open.push(made);
    return made;
  }

  async function folded(): Promise<void> {
    await eventually('the log is folded', async () => {
      const [row] = await database.query<{ readonly isFolded: boolean }>(
        `SELECT round = (SELECT max(round) FROM ${schema}.log) AS "isFolded" FROM ${schema}.folded`,
      );
      return row?.isFolded === true;
    });
  }

  // holds: limits.policies
  it('have the policy of all queues, whose record has no name, for a replica that starts', async () => {
    const { policies } = await replica();
    await policies.put('', () => ({ limits: ['openai'] }));
    await folded();
    expect(await (await replica()).policies.find('')).to.deep.equal({ limits: ['openai'] });
  });

  // holds: store.postgres-any-content
  it('are folded, and read by a replica that starts', async () => {
    const queue = uniqueQueue();
    const first = await replica();
    const [added] = await first.queues.add(queue, [POISONED]);
    await folded();
    const later = await replica();
    const shown = await later.queues.find(queue, added?.id ?? '');
    expect(shown).to.deep.equal(await first.queues.find(queue, added?.id ?? ''));
    expect(shown?.name).to.equal(POISONED.name);
    expect(shown?.data).to.deep.equal({ 'a\0': String.raw`\u0000 ` + '\ud83d', b: 2 });
  });

  // holds: store.postgres-broken-commit
  it('let a replica go on whose connection broke as it committed', async () => {
    const queue = uniqueQueue();
    const { queues } = await replica();
    await queues.add(queue, [POISONED]);
    // Nobody folds before the round that breaks.
    const [folding, locking] = [testDatabase(uri), testDatabase(uri)];
    try {
      await folding.session(async (holder) => {
        await holder.query('BEGIN');
        await holder.query(`SELECT FROM ${schema}.folded FOR UPDATE`);
        await queues.add(queue, [POISONED]);
        let broken: Promise<Error> | undefined;
        await locking.session(async (lock) => {
          await lock.query('BEGIN');
          await lock.query(`LOCK TABLE ${schema}.log IN SHARE MODE`);
          broken = rejection(queues.add(queue, [POISONED]));
          await eventually('the end of the connection of the round', async () => {
            const ended = await database.query(
              `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
               WHERE wait_event_type = 'Lock' AND query LIKE 'INSERT INTO "${schema}".log%'`,
            );
            return ended.length > 0;
          });
          await lock.query('ROLLBACK');
        });
        expect(await broken).to.include({ code: 'store-unavailable' });
        await queues.add(queue, [POISONED]);
        expect((await queues.summary(queue)).counts.waiting).to.equal(3);
        await holder.query('ROLLBACK');
      });
    } finally {
      await Promise.all([folding.close(), locking.close()]);
    }
  });

  // holds: store.postgres-repaired
  it('are repaired by a migration, where a release before wrote them', async () => {
    await migrate(database, schema, knownMigrations().slice(0, OF_THE_RELEASE_BEFORE));
    const value = String.raw`{"name":"a\u0000\u0000b \ud83d \\u0000","data":"\"\\u0000\"","opts":"{\"attempts\":1,\"delay\":0}"}`;
    const job = (id: string): string =>
      `{"id":"${id}","status":"waiting","timestamp":1,"position":{"rank":0,"order":${id}}}`;
    await database.query(
      `INSERT INTO ${schema}.log (round, replica, changes) VALUES (1, 'before', '[]'), (2, 'before', $1::text::json)`,
      [
        `[{"kind":"job","queue":"mail","id":"2","value":${job('2')}},` +
          `{"kind":"payload","queue":"mail","id":"2","value":${value}}]`,
      ],
    );
    await database.query(`UPDATE ${schema}.folded SET round = 1`);
    await database.query(
      `INSERT INTO ${schema}.records VALUES ('job', 'mail', '1', $1::text::json), ('payload', 'mail', '1', $2::text::json)`,
      [job('1'), value],
    );
    const applied = await migrate(database, schema);
    expect(applied.map(({ name }) => name)).to.include('well-formed-records');
    // The functions that earlier versions fold with accept all of it.
    await database.query(`SELECT changes::jsonb FROM ${schema}.log`);
    await database.query(`SELECT value::jsonb FROM ${schema}.records`);
    const { queues } = await replica();
    for (const id of ['1', '2']) {
      const found = await queues.find(queueNamed('mail'), id);
      expect(found).to.include({ name: String.raw`a��b � \u0000`, data: '\0' });
    }
  });

  // holds: store.postgres-folding
  it('are reported once when they cannot be folded, and again when they can', async () => {
    const lines: [string, string][] = [];
    const logger: LoggerPort = {
      ...silentLogger,
      error: (text, { error } = {}) => lines.push(['error', `${text}: ${String(error)}`]),
      info: (text) => lines.push(['info', text]),
    };
    const { queues, system } = await replica(logger);
    const isFolded = async (): Promise<boolean | undefined> =>
      (await system.store()).facts.database?.isFolded;
    expect(await isFolded()).to.equal(true);
    await database.query(
      `ALTER TABLE ${schema}.records ADD CONSTRAINT nothing_more CHECK (false) NOT VALID`,
    );
    await queues.add(uniqueQueue(), [POISONED]);
    await eventually('a folding fails', async () => (await isFolded()) === false);
    await database.query(`ALTER TABLE ${schema}.records DROP CONSTRAINT nothing_more`);
    await eventually('the log is folded again', isFolded);
    expect(lines.filter(([, text]) => text.includes('fold'))).to.deep.equal([
      [
        'error',
        'The log cannot be folded and grows: DatabaseError: new row for relation "records" violates check constraint "nothing_more"',
      ],
      ['info', 'The log is folded again'],
    ]);
  });
});
