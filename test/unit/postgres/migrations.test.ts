import { expect } from 'chai';
import type {
  Database,
  Session,
  SqlRow,
} from '../../../src/adapters/outbound/postgres/driver/database.ts';
import { migrate } from '../../../src/adapters/outbound/postgres/schema/migrate.ts';
import { knownMigrations } from '../../../src/adapters/outbound/postgres/schema/migrations.ts';
import { rejection } from '../../support/rejection.ts';

/** A server that only says which one it is. */
function serverOf(number: number, version: string): Database {
  const answer = [{ number, version, exists: false, isMigrated: false }] as readonly SqlRow[];
  const query = () => Promise.resolve(answer as readonly never[]);
  const session: Session = {
    query,
    script: () => Promise.reject(new Error('Nothing may be run on this server')),
  };
  return {
    query,
    session: (run) => run(session),
    listen: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
}

describe('the migrations of PostgreSQL', () => {
  it('are numbered from 1 without a gap', () => {
    const numbers = knownMigrations().map(({ number }) => number);
    expect(numbers).to.deep.equal(numbers.map((_, index) => index + 1));
  });

  it('name the schema only by its placeholder', () => {
    for (const { name, sql } of knownMigrations()) {
      expect(sql, name).not.to.match(/\bjobgate\./);
    }
  });

  it('are refused when a file is not named as one', () => {
    expect(() => knownMigrations({ '1-jobs.sql': '' })).to.throw('1-jobs.sql is not named');
  });

  // holds: store.postgres-server
  it('refuse a server that is too old, by its version', async () => {
    const known = knownMigrations({ '0001-jobs.sql': 'CREATE TABLE {schema}.jobs ();' });
    const error = await rejection(migrate(serverOf(130_022, '13.22'), 'jobgate', known));
    expect(error.message).to.equal(
      'STORE_URI leads to PostgreSQL 13.22, and jobgate needs 14 or later',
    );
  });
});
