import { expect } from 'chai';
import type { PostgresDatabase } from '../../../src/adapters/outbound/postgres/driver/postgres-database.ts';
import { dueMigrations, migrate } from '../../../src/adapters/outbound/postgres/schema/migrate.ts';
import { knownMigrations } from '../../../src/adapters/outbound/postgres/schema/migrations.ts';
import { SchemaRefusedError } from '../../../src/adapters/outbound/postgres/schema/schema-refused-error.ts';
import { eventually } from '../../support/eventually.ts';
import { testDatabase } from '../../support/postgres/test-database.ts';
import { freshSchema } from '../../support/postgres/test-postgres.ts';
import { rejection } from '../../support/rejection.ts';

const FIRST = { '0001-jobs.sql': 'CREATE TABLE {schema}.jobs (id bigint);' };
const SECOND = {
  ...FIRST,
  '0002-names.sql':
    "ALTER TABLE {schema}.jobs ADD name text;\nINSERT INTO {schema}.jobs VALUES (1, 'a');",
};
const [one, two] = [knownMigrations(FIRST), knownMigrations(SECOND)];

describe('migrations of the PostgreSQL schema', () => {
  let database: PostgresDatabase;
  let schema: string;
  let uri: string;
  const opened: PostgresDatabase[] = [];

  function open(otherUri = uri): PostgresDatabase {
    const other = testDatabase(otherUri);
    opened.push(other);
    return other;
  }

  /** A role without any rights but to connect. */
  async function newRole(): Promise<{ role: string; asRole: PostgresDatabase }> {
    const role = `${schema}_role`;
    await database.query(`CREATE ROLE ${role} LOGIN PASSWORD 'secret'`);
    return { role, asRole: open(uri.replace(/\/\/[^@]*@/, `//${role}:secret@`)) };
  }

  async function refusal(work: Promise<unknown>): Promise<string> {
    const error = await rejection(work);
    expect(error).to.be.instanceOf(SchemaRefusedError);
    const { message } = error;
    expect(message).not.to.contain('\n');
    return message.replaceAll(schema, 'queues');
  }

  beforeEach(async () => {
    ({ uri, schema } = await freshSchema());
    database = open();
  });

  afterEach(async () => {
    const roles = await database.query<{ rolname: string }>(
      'SELECT rolname FROM pg_roles WHERE rolname = $1',
      [`${schema}_role`],
    );
    for (const { rolname } of roles) {
      await database.query(`DROP OWNED BY ${rolname} CASCADE`);
      await database.query(`DROP ROLE ${rolname}`);
    }
    await Promise.all(opened.splice(0).map((each) => each.close()));
  });

  // holds: store.postgres-migrations
  it('make the schema, and bring it to later versions', async () => {
    expect((await migrate(database, schema, one)).map(({ name }) => name)).to.deep.equal(['jobs']);
    expect((await migrate(database, schema, two)).map(({ name }) => name)).to.deep.equal(['names']);
    expect(await migrate(database, schema, two)).to.deep.equal([]);
    expect(await database.query(`SELECT id, name FROM ${schema}.jobs`)).to.deep.equal([
      { id: '1', name: 'a' },
    ]);
    const noted = await database.query(
      `SELECT number, name, applied_at <= now() AS past FROM ${schema}.migrations ORDER BY number`,
    );
    expect(noted).to.deep.equal([
      { number: 1, name: 'jobs', past: true },
      { number: 2, name: 'names', past: true },
    ]);
  });

  // holds: store.postgres-migrations
  it('have the server compress rounds and records with lz4, if it can', async () => {
    await migrate(database, schema);
    const [{ can } = {}] = await database.query<{ can: boolean }>(
      `SELECT 'lz4' = ANY(enumvals) AS can FROM pg_settings WHERE name = 'default_toast_compression'`,
    );
    const columns = await database.query(
      `SELECT attname, attcompression, attstorage FROM pg_attribute
       WHERE attrelid IN ($1::regclass, $2::regclass) AND attname IN ('changes', 'value') ORDER BY 1`,
      [`${schema}.log`, `${schema}.records`],
    );
    const [attcompression, attstorage] = can === true ? ['l', 'x'] : ['', 'e'];
    expect(columns).to.deep.equal([
      { attname: 'changes', attcompression, attstorage },
      { attname: 'value', attcompression, attstorage: 'x' },
    ]);
  });

  it('are applied once by processes that start together', async () => {
    const databases = [database, open(), open(), open()];
    const applied = await Promise.all(databases.map((each) => migrate(each, schema, two)));
    expect(applied.flat().map(({ number }) => number)).to.have.members([1, 2]);
    expect(await database.query(`SELECT count(*)::integer FROM ${schema}.jobs`)).to.deep.equal([
      { count: 1 },
    ]);
  });

  it('leave nothing of one that fails, and all before it', async () => {
    const broken = knownMigrations({
      ...FIRST,
      '0002-broken.sql': 'CREATE TABLE {schema}.more (); SELECT 1 / 0;',
    });
    const error = await rejection(migrate(database, schema, broken));
    expect(error).to.include({ name: 'DatabaseError', state: '22012' });
    expect((await migrate(database, schema, two)).map(({ number }) => number)).to.deep.equal([2]);
    expect(await database.query('SELECT to_regclass($1)', [`${schema}.more`])).to.deep.equal([
      { to_regclass: null },
    ]);
  });

  it('can be read before, and run by hand', async () => {
    const due = await dueMigrations(database, schema, two);
    expect(due.map(({ migration }) => migration.number)).to.deep.equal([1, 2]);
    for (const { script } of due) await database.session((session) => session.script(script));
    expect(await dueMigrations(database, schema, two)).to.deep.equal([]);
    expect(await migrate(database, schema, two)).to.deep.equal([]);
  });

  it('change nothing when they are read', async () => {
    await dueMigrations(database, schema, two);
    const found = await database.query('SELECT FROM pg_namespace WHERE nspname = $1', [schema]);
    expect(found).to.deep.equal([]);
  });

  it('wait for open transactions with added jobs, and keep nobody from adding meanwhile', async () => {
    await migrate(database, schema, knownMigrations().slice(0, 4));
    const add = `INSERT INTO ${schema}.inbox (queue, added, waiting, bytes, jobs) VALUES ('mail', 1, 1, 2, '[]')`;
    await database.session(async (session) => {
      await session.query('BEGIN');
      await session.query(add);
      const watching = open();
      const migrated = migrate(open(), schema, knownMigrations().slice(0, 5));
      await eventually('the migration wants the inbox', async () => {
        const wanted = await watching.query(
          'SELECT FROM pg_locks WHERE NOT granted AND relation = $1::regclass',
          [`${schema}.inbox`],
        );
        return wanted.length > 0;
      });
      await watching.query(add);
      await session.query('COMMIT');
      expect((await migrated).map(({ number }) => number)).to.deep.equal([5]);
    });
    const added = await database.query(`SELECT queue, groups FROM ${schema}.inbox`);
    expect(added).to.deep.equal(Array(2).fill({ queue: 'mail', groups: null }));
  });

  // holds: store.postgres-later
  it('refuse a schema of a later version by its number', async () => {
    await migrate(database, schema, two);
    expect(await refusal(migrate(database, schema, one))).to.equal(
      'STORE_SCHEMA queues is of version 2, and this jobgate knows versions up to 1: start the jobgate that made it, or a later one',
    );
  });

  it('refuse a schema that another file with the same number made', async () => {
    await migrate(database, schema, one);
    const other = knownMigrations({ '0001-jobs.sql': 'CREATE TABLE {schema}.others ();' });
    expect(await refusal(migrate(database, schema, other))).to.contain(
      'STORE_SCHEMA queues was made by another migration 1 than that of this jobgate, jobs',
    );
  });

  it('refuse a schema with a table "migrations" of another program', async () => {
    await database.query(`CREATE SCHEMA ${schema}`);
    await database.query(`CREATE TABLE ${schema}.migrations (id integer)`);
    expect(await refusal(migrate(database, schema, one))).to.equal(
      'STORE_SCHEMA queues has a table "migrations" of another program: choose another schema',
    );
  });

  describe('for a role without rights', () => {
    it('name the right to make the schema, and make it once that is granted', async () => {
      const { asRole } = await newRole();
      const grant = /Run (GRANT CREATE ON DATABASE "\S+" TO "queues_role"), or/;
      const message = await refusal(migrate(asRole, schema, one));
      expect(message).to.match(
        /^STORE_SCHEMA queues needs migration 1 \(jobs\), which the role queues_role may not apply: permission denied for database/,
      );
      const [, statement = ''] = grant.exec(message) ?? [];
      await database.query(statement.replaceAll('queues', schema));
      expect(await migrate(asRole, schema, one)).to.have.lengthOf(1);
    });

    it('name the right to make tables, and make them once that is granted', async () => {
      const { asRole } = await newRole();
      await database.query(`CREATE SCHEMA ${schema}`);
      const message = await refusal(migrate(asRole, schema, one));
      const [, statement = ''] = /Run (GRANT USAGE, CREATE ON SCHEMA .*), or/.exec(message) ?? [];
      await database.query(statement.replaceAll('queues', schema));
      expect(await migrate(asRole, schema, one)).to.have.lengthOf(1);
    });

    it('name the owner of the tables', async () => {
      await migrate(database, schema, one);
      const { role, asRole } = await newRole();
      await database.query(`GRANT USAGE, CREATE ON SCHEMA ${schema} TO ${role}`);
      await database.query(`GRANT SELECT ON ${schema}.migrations TO ${role}`);
      expect(await refusal(migrate(asRole, schema, two))).to.contain(
        'migration 2 (names), which the role queues_role may not apply: permission denied for table migrations. Run GRANT of the role that owns the tables',
      );
    });

    // holds: store.postgres-rights
    it('need only the right to read when nothing is due', async () => {
      await migrate(database, schema, two);
      const { role, asRole } = await newRole();
      expect(await refusal(migrate(asRole, schema, two))).to.contain(
        'STORE_SCHEMA queues is not readable for the role of STORE_URI: permission denied for schema',
      );
      await database.query(`GRANT USAGE ON SCHEMA ${schema} TO ${role}`);
      await database.query(`GRANT SELECT ON ALL TABLES IN SCHEMA ${schema} TO ${role}`);
      expect(await migrate(asRole, schema, two)).to.deep.equal([]);
    });
  });
});
